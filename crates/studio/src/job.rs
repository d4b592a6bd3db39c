//! Long work in the background, one piece of each kind at a time: reviews, recordings, matches, reports.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// A place for one piece of work.
#[derive(Debug, Default)]
pub struct Bench {
    current: Arc<Mutex<Option<Arc<AtomicBool>>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Bench {
    /// Whether something is being worked on.
    pub fn is_busy(&self) -> bool {
        lock(&self.current).is_some()
    }

    /// Starts work on a thread of its own. It gets a flag that tells it to stop.
    ///
    /// # Errors
    /// Something else is being worked on, or the system refuses a thread.
    pub fn start(
        &self,
        name: &str,
        work: impl FnOnce(&Arc<AtomicBool>) + Send + 'static,
    ) -> Result<(), String> {
        let mut current = lock(&self.current);
        if current.is_some() {
            return Err(format!("a {name} is already running: stop it first"));
        }
        let flag = Arc::new(AtomicBool::new(false));
        let (place, shared) = (Arc::clone(&self.current), Arc::clone(&flag));
        thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                let _clear = ClearOnDrop(place);
                work(&shared);
            })
            .map_err(|error| error.to_string())?;
        *current = Some(flag);
        Ok(())
    }

    /// Asks the work to stop, if there is any.
    pub fn stop(&self) {
        if let Some(flag) = &*lock(&self.current) {
            flag.store(true, Ordering::Relaxed);
        }
    }
}

/// Frees the place even if the work panicked.
struct ClearOnDrop(Arc<Mutex<Option<Arc<AtomicBool>>>>);

impl Drop for ClearOnDrop {
    fn drop(&mut self) {
        *lock(&self.0) = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn one_piece_of_work_at_a_time_and_it_can_be_stopped() {
        let bench = Bench::default();
        let wait = |flag: &Arc<AtomicBool>| {
            while !flag.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
        };
        bench.start("test", move |flag| wait(flag)).expect("free");
        assert!(bench.start("test", |_| {}).is_err());
        bench.stop();
        while bench.is_busy() {
            thread::sleep(Duration::from_millis(1));
        }
        bench.start("test", |_| {}).expect("free again");
    }
}
