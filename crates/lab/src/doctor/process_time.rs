//! Computing time of a process, and how busy the machine is: on a loaded machine the clock on the wall says little about
//! an engine. Linux tells both in `/proc`; elsewhere nothing is known, and the checks say so.

use std::time::Duration;

/// Clock ticks in a second, as Linux shows them to programs on every architecture.
const TICKS_PER_SECOND: u64 = 100;

/// Computing time that a process and its threads have used so far.
pub fn cpu_time(process: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    ticks(&text).map(|ticks| Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND))
}

/// User and system ticks of a line of `/proc/PID/stat`. The name in brackets may contain anything.
fn ticks(stat: &str) -> Option<u64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

/// Programs that want to run for each processor, over the last minute.
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
    fn ticks_are_read_behind_a_name_with_brackets_and_blanks() {
        let line = "42 (a) b) S 1 42 42 0 -1 4194304 100 0 0 0 17 5 0 0 20 0 1 0 12345 1 2 3";
        assert_eq!(ticks(line), Some(22));
        assert_eq!(ticks("nonsense"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn our_own_computing_time_grows() {
        let before = cpu_time(std::process::id()).expect("Linux tells");
        let mut sum = 0u64;
        while cpu_time(std::process::id()).expect("Linux tells") < before + Duration::from_millis(20) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(load().is_some());
    }
}
