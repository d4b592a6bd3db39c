//! CPU time of a process, and the system load: on a busy system wall time says little about an engine. From `/proc` on
//! Linux; unknown elsewhere.

use std::time::Duration;

/// On every Linux architecture.
const TICKS_PER_SECOND: u64 = 100;

/// CPU time of a process and its children: an engine may be a script that starts another program.
pub fn cpu_time(process: u32) -> Option<Duration> {
    all_ticks(process).map(|ticks| Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND))
}

fn all_ticks(process: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    Some(ticks(&stat)? + children(process).into_iter().filter_map(all_ticks).sum::<u64>())
}

/// Running child processes of all threads.
fn children(process: u32) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let list = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("children")).ok();
    let lists = threads.flatten().filter_map(list);
    lists
        .flat_map(|text| text.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// User and system ticks of `/proc/PID/stat`, including waited-for children. The name in parentheses may contain anything.
fn ticks(stat: &str) -> Option<u64> {
    let fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(4);
    let numbers = fields.map(|field| field.parse().ok()).collect::<Option<Vec<u64>>>()?;
    (numbers.len() == 4).then(|| numbers.iter().sum())
}

/// Load average of the last minute per CPU.
pub fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    let running: f64 = text.split_whitespace().next()?.parse().ok()?;
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Some(running / processors as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_after_a_name_with_parentheses() {
        let line = "42 (a) b) S 1 42 42 0 -1 4194304 100 0 0 0 17 5 3 1 20 0 1 0 12345 1 2 3";
        assert_eq!(ticks(line), Some(26));
        assert_eq!(ticks("nonsense"), None);
        assert_eq!(ticks("42 (a) S 1 42 42 0 -1 4194304 100 0 0 0 17 5"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn children_count() {
        // Some kernels do not list children.
        if !std::path::Path::new("/proc/thread-self/children").exists() {
            return;
        }
        let endless = "sh -c 'while :; do :; done'; :";
        let mut script = std::process::Command::new("sh").args(["-c", endless]).spawn().expect("sh is there");
        let cpu = |process| cpu_time(process).expect("Linux");
        let mut inner = Vec::new();
        // An idle shell and its busy child.
        while inner.is_empty() || cpu(script.id()) < Duration::from_millis(50) {
            inner = children(script.id());
        }
        for process in inner {
            let killed = std::process::Command::new("kill").arg(process.to_string()).status();
            assert!(killed.is_ok_and(|status| status.success()));
        }
        script.wait().expect("it ends with its child");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn own_cpu_time_grows() {
        let before = cpu_time(std::process::id()).expect("Linux");
        let mut sum = 0u64;
        while cpu_time(std::process::id()).expect("Linux") < before + Duration::from_millis(20) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(load().is_some());
    }
}
