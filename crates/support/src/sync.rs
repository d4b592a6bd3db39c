//! Mutexes that ignore poisoning: where a thread panicked, the panic is reported by whoever joins it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, poisoned or not.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The value of a mutex, poisoned or not.
pub fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poisoned_mutex_stays_usable() {
        let mutex = Mutex::new(1);
        std::thread::scope(|scope| {
            let panicking = scope.spawn(|| {
                let _guard = lock(&mutex);
                std::panic::resume_unwind(Box::new(()));
            });
            assert!(panicking.join().is_err());
        });
        assert!(mutex.is_poisoned());
        *lock(&mutex) += 1;
        assert_eq!(into_inner(mutex), 2);
    }
}
