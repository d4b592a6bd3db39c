//! How much memory the program may still use. Systems overcommit memory and kill programs that use it, so large
//! allocations are checked first.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

/// The stack of a search thread. A search recurses deeply, so its size must not depend on the system's default.
pub(crate) const STACK_BYTES: usize = 16 << 20;

/// Memory for the data of a search thread: more than it needs.
const DATA_BYTES: u64 = 8 << 20;
/// Address space that the allocator of the GNU C library takes for a thread, for at most eight threads per processor.
/// While it aligns it, it takes twice as much.
const ARENA_BYTES: u64 = 64 << 20;
const ARENAS_PER_PROCESSOR: usize = 8;
/// Address space reserved for everything else.
const RESERVE: u64 = 64 << 20;

/// Calls `start`, which starts this many threads and returns when they run, if the system has memory for search threads.
/// A thread that gets no memory for its signal stack or its data cannot report it: the program would abort. Threads are
/// therefore started by one caller at a time, so that what was free before is free for them.
///
/// # Errors
/// Those of `start`, or the system has too little memory.
pub fn start_threads<T>(threads: usize, start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    static STARTING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    if !has_room_for(threads) {
        return Err(ErrorKind::OutOfMemory.into());
    }
    start()
}

/// Whether the system has memory for this many more search threads.
pub(crate) fn has_room_for(threads: usize) -> bool {
    let arenas = ARENAS_PER_PROCESSOR * available_parallelism().map_or(1, usize::from);
    let data = threads as u64 * DATA_BYTES;
    let stacks = threads as u64 * STACK_BYTES as u64;
    let space = data + stacks + (threads + 1).min(arenas) as u64 * ARENA_BYTES + RESERVE;
    available_memory().is_none_or(|available| data <= available)
        && available_address_space().is_none_or(|available| space <= available)
}

/// Bytes of memory that can still be used: what is available in the machine, and in every cgroup that the program runs
/// in. `None` where it is unknown.
pub(crate) fn available_memory() -> Option<u64> {
    available_memory_in(Path::new("/"))
}

/// Bytes of address space that can still be used, where it is limited (`ulimit -v`).
pub(crate) fn available_address_space() -> Option<u64> {
    available_address_space_in(Path::new("/"))
}

fn available_memory_in(root: &Path) -> Option<u64> {
    let machine = value_of(&root.join("proc/meminfo"), "MemAvailable:").map(|kib| kib * 1024);
    cgroups(root).into_iter().chain(machine).min()
}

fn available_address_space_in(root: &Path) -> Option<u64> {
    // Not a number where it is unlimited.
    let limit = value_of(&root.join("proc/self/limits"), "Max address space")?;
    let used = value_of(&root.join("proc/self/status"), "VmSize:").unwrap_or(0) * 1024;
    Some(limit.saturating_sub(used))
}

/// Names of the files of a cgroup version: memory limit, memory in use, and the part of it that is page cache, which can
/// be reclaimed.
struct Names {
    limit: &'static str,
    usage: &'static str,
    cached: [&'static str; 2],
}

const VERSION_1: Names = Names {
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    cached: ["total_inactive_file ", "total_active_file "],
};
const VERSION_2: Names =
    Names { limit: "memory.max", usage: "memory.current", cached: ["inactive_file ", "active_file "] };

/// What each cgroup of the program has left, up to the root of its hierarchy.
fn cgroups(root: &Path) -> Vec<u64> {
    let mut left = Vec::new();
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    for group in groups.lines() {
        // Number, controllers and path; version 2 has no controllers here.
        let mut parts = group.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (names, mount) = if controllers.is_empty() {
            (&VERSION_2, root.join("sys/fs/cgroup"))
        } else if controllers.split(',').any(|controller| controller == "memory") {
            (&VERSION_1, root.join("sys/fs/cgroup/memory"))
        } else {
            continue;
        };
        // In a container the path can be that of the host; the parts that exist count.
        let path = Path::new(path.trim_start_matches('/'));
        left.extend(path.ancestors().filter_map(|path| left_in(&mount.join(path), names)));
    }
    left
}

/// What a cgroup has left, if it has a limit.
fn left_in(group: &Path, names: &Names) -> Option<u64> {
    let limit = value_of(&group.join(names.limit), "")?;
    let usage = value_of(&group.join(names.usage), "")?;
    let cached = names.cached.iter().filter_map(|name| value_of(&group.join("memory.stat"), name)).sum();
    Some(limit.saturating_sub(usage.saturating_sub(cached)))
}

/// The number behind `name`, with which a line of the file begins.
fn value_of(file: &Path, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    const MIB: u64 = 1 << 20;

    /// A folder that looks like the root of a system, removed in the end.
    struct Root(PathBuf);

    impl Root {
        fn new(name: &str, files: &[(&str, &str)]) -> Root {
            let root = std::env::temp_dir().join(format!("vedette-room-{name}-{}", std::process::id()));
            for (path, text) in files {
                let path = root.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Root(root)
        }
    }

    impl Drop for Root {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const MEMINFO: (&str, &str) = ("proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable:    1024000 kB\n");

    #[test]
    fn meminfo_without_cgroups() {
        let root = Root::new("machine", &[MEMINFO, ("proc/self/cgroup", "0::/\n")]);
        assert_eq!(available_memory_in(&root.0), Some(1000 * MIB));
        assert_eq!(available_memory_in(Path::new("/no/such/folder")), None);
    }

    #[test]
    fn smallest_cgroup_limit_counts_without_page_cache() {
        let root = Root::new(
            "version2",
            &[
                MEMINFO,
                ("proc/self/cgroup", "0::/user/job\n"),
                ("sys/fs/cgroup/user/job/memory.max", "max\n"),
                ("sys/fs/cgroup/user/job/memory.current", "1048576\n"),
                ("sys/fs/cgroup/user/memory.max", "536870912\n"),
                ("sys/fs/cgroup/user/memory.current", "209715200\n"),
                ("sys/fs/cgroup/user/memory.stat", "anon 5\ninactive_file 52428800\nactive_file 52428800\n"),
            ],
        );
        assert_eq!(available_memory_in(&root.0), Some(412 * MIB));
    }

    #[test]
    fn first_version_of_cgroups_and_paths_of_the_host() {
        let root = Root::new(
            "version1",
            &[
                MEMINFO,
                ("proc/self/cgroup", "5:cpu:/x\n4:memory:/docker/abc\n0::/\n"),
                ("sys/fs/cgroup/memory/memory.limit_in_bytes", "104857600\n"),
                ("sys/fs/cgroup/memory/memory.usage_in_bytes", "20971520\n"),
                ("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 10485760\n"),
            ],
        );
        assert_eq!(available_memory_in(&root.0), Some(90 * MIB));
    }

    #[test]
    fn address_space_counts_where_it_is_limited() {
        let limits = |soft: &str| format!("Max address space         {soft}            unlimited   bytes\n");
        let status = ("proc/self/status", "VmSize:\t  102400 kB\n");
        let limited = limits("314572800");
        let root = Root::new("limited", &[("proc/self/limits", &limited), status]);
        assert_eq!(available_address_space_in(&root.0), Some(200 * MIB));
        let unlimited = limits("unlimited");
        let root = Root::new("unlimited", &[("proc/self/limits", &unlimited), status]);
        assert_eq!(available_address_space_in(&root.0), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn available_memory_is_known_here() {
        assert!(available_memory().is_some_and(|bytes| bytes > 0));
    }
}
