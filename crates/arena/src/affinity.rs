//! Binds concurrent games to CPUs (`-use-affinity`). Engines inherit the CPUs of the thread that starts them.

use crate::config::{EngineConfig, MatchConfig};

/// The CPUs of each concurrent game; `None`: games are not bound.
///
/// # Errors
/// There are too few CPUs, or this system cannot bind threads to them.
pub fn plan(config: &MatchConfig) -> Result<Option<Vec<Vec<usize>>>, String> {
    let Some(chosen) = &config.affinity else { return Ok(None) };
    let own = own_cpus().ok_or("-use-affinity is not supported on this system")?;
    if let Some(cpu) = chosen.iter().find(|cpu| !own.contains(cpu)) {
        return Err(format!("-use-affinity: no CPU {cpu}, only {}", list(&own)));
    }
    let cpus = if chosen.is_empty() { one_per_core_first(&own, siblings) } else { chosen.clone() };
    let threads = config.engines.iter().map(threads_of).max().unwrap_or(1);
    let (games, needed) = (config.concurrency, config.concurrency.saturating_mul(threads));
    if cpus.len() < needed {
        return Err(format!(
            "-use-affinity: {} CPUs for {games} concurrent games with {threads} threads: expected at least {needed}",
            cpus.len()
        ));
    }
    Ok(Some(cpus.chunks(threads).take(games).map(<[usize]>::to_vec).collect()))
}

/// The threads that an engine uses.
fn threads_of(engine: &EngineConfig) -> usize {
    let option = engine.options.iter().find(|option| option.0.eq_ignore_ascii_case("Threads"));
    option.and_then(|option| option.1.parse().ok()).unwrap_or(1).max(1)
}

fn list(cpus: &[usize]) -> String {
    cpus.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// CPUs of different cores before their second hardware threads: two games do not share a core while another one is free.
fn one_per_core_first(cpus: &[usize], siblings: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let rank = |cpu: usize| siblings(cpu).iter().position(|&sibling| sibling == cpu).unwrap_or(0);
    let mut ordered: Vec<(usize, usize)> = cpus.iter().map(|&cpu| (rank(cpu), cpu)).collect();
    ordered.sort_unstable();
    ordered.into_iter().map(|(_, cpu)| cpu).collect()
}

/// The CPUs of a CPU's core, lowest first.
fn siblings(cpu: usize) -> Vec<usize> {
    let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
    parse_list(&std::fs::read_to_string(path).unwrap_or_default())
}

/// `0,4-6`
fn parse_list(text: &str) -> Vec<usize> {
    let mut cpus = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) {
            cpus.extend(first..=last.min(first + 1024));
        }
    }
    cpus
}

/// The CPUs that this process may use.
#[cfg(target_os = "linux")]
fn own_cpus() -> Option<Vec<usize>> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None).ok()?;
    Some((0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect())
}

#[cfg(not(target_os = "linux"))]
fn own_cpus() -> Option<Vec<usize>> {
    None
}

/// Binds this thread, and all that it starts, to CPUs.
///
/// # Errors
/// The operating system refuses.
#[cfg(target_os = "linux")]
pub fn bind(cpus: &[usize]) -> std::io::Result<()> {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    cpus.iter().filter(|&&cpu| cpu < CpuSet::MAX_CPU).for_each(|&cpu| set.set(cpu));
    Ok(sched_setaffinity(None, &set)?)
}

#[cfg(not(target_os = "linux"))]
pub fn bind(_: &[usize]) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use support::shell::split_arguments;

    fn plan_of(options: &str) -> Result<Option<Vec<Vec<usize>>>, String> {
        let line = format!("-engine cmd=A -engine cmd=B -each tc=1 {options}");
        plan(&crate::cli::parse(&split_arguments(&line)).expect("valid").config)
    }

    #[test]
    fn cores_come_before_hardware_threads() {
        // CPUs 0 and 2 are one core, and 1 and 3.
        let siblings = |cpu: usize| vec![cpu % 2, cpu % 2 + 2];
        assert_eq!(one_per_core_first(&[0, 1, 2, 3], siblings), [0, 1, 2, 3]);
        let neighbours = |cpu: usize| vec![cpu / 2 * 2, cpu / 2 * 2 + 1];
        assert_eq!(one_per_core_first(&[0, 1, 2, 3], neighbours), [0, 2, 1, 3]);
        assert_eq!(one_per_core_first(&[5, 7], |_| Vec::new()), [5, 7]);
        assert_eq!(parse_list("0,4-6\n"), [0, 4, 5, 6]);
    }

    #[test]
    fn no_affinity_without_the_option() {
        assert_eq!(plan_of(""), Ok(None));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn games_have_cpus_of_their_own() {
        let own = own_cpus().expect("Linux");
        let first = own[0];
        assert_eq!(plan_of(&format!("-use-affinity {first}")), Ok(Some(vec![vec![first]])));
        let error = plan_of(&format!("-use-affinity {first} -concurrency 2")).expect_err("one CPU");
        assert!(error.contains("1 CPUs for 2 concurrent games with 1 threads"), "{error}");
        let error =
            plan_of(&format!("-use-affinity {first} -engine cmd=C option.Threads=3")).expect_err("one CPU");
        assert!(error.contains("with 3 threads"), "{error}");
        assert!(plan_of("-use-affinity 1023").expect_err("no such CPU").contains("no CPU 1023"));
        assert_eq!(plan_of("-use-affinity").expect("enough").expect("a plan").len(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn thread_is_bound() {
        std::thread::spawn(|| {
            let last = *own_cpus().expect("Linux").last().expect("a CPU");
            bind(&[last]).expect("allowed");
            assert_eq!(own_cpus(), Some(vec![last]));
            // What it starts inherits it.
            std::thread::spawn(move || assert_eq!(own_cpus(), Some(vec![last]))).join().expect("no panic");
        })
        .join()
        .expect("no panic");
    }
}
