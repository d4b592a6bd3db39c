//! Search threads on machines with several NUMA nodes, whose processors reach the memory of their own node faster.
//!
//! A thread that is bound to a node allocates its histories there, because Linux gives memory of the node on which it
//! is first touched. The hash table is shared: the threads that touch it when it is set run on all nodes, so its memory
//! is spread over them.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

/// CPUs by number.
pub type Cpus = BTreeSet<usize>;

/// Where search threads run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum NumaPolicy {
    /// They are bound to the nodes of the machine if they are more than one node has CPUs for.
    #[default]
    Auto,
    /// They are bound to the nodes of the machine.
    System,
    /// The system places them.
    None,
    /// They are bound to these nodes.
    Nodes(Vec<Cpus>),
}

/// Where Linux describes the nodes.
const NODES: &str = "/sys/devices/system/node";

impl NumaPolicy {
    /// The CPUs of each of so many threads; nothing if they are not bound.
    pub(crate) fn placement(&self, threads: usize) -> Vec<Cpus> {
        match self {
            NumaPolicy::None => Vec::new(),
            NumaPolicy::Nodes(nodes) => place(nodes, threads),
            NumaPolicy::Auto | NumaPolicy::System => {
                let nodes = usable(read_nodes(Path::new(NODES)), allowed().as_ref());
                self.placement_on(&nodes, threads)
            }
        }
    }

    fn placement_on(&self, nodes: &[Cpus], threads: usize) -> Vec<Cpus> {
        let smallest = nodes.iter().map(Cpus::len).min().unwrap_or(0);
        // Where one node is enough, the system knows best which: there may be other programs.
        if nodes.len() < 2 || *self == NumaPolicy::Auto && threads <= smallest {
            return Vec::new();
        }
        place(nodes, threads)
    }
}

/// Spreads threads over nodes in proportion to their CPUs.
fn place(nodes: &[Cpus], threads: usize) -> Vec<Cpus> {
    let mut used = vec![0; nodes.len()];
    let mut next = || {
        let load = |&node: &usize| ((used[node] + 1) * 1000 / nodes[node].len().max(1), node);
        let node = (0..nodes.len()).min_by_key(load)?;
        used[node] += 1;
        Some(nodes[node].clone())
    };
    (0..threads).map_while(|_| next()).collect()
}

/// The CPUs of each node that has any, as a folder like `/sys/devices/system/node` describes them.
fn read_nodes(folder: &Path) -> Vec<Cpus> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut nodes: Vec<(usize, Cpus)> = entries
        .flatten()
        .filter_map(|entry| {
            let number = entry.file_name().to_str()?.strip_prefix("node")?.parse().ok()?;
            let list = fs::read_to_string(entry.path().join("cpulist")).ok()?;
            Some((number, parse_cpus(list.trim())?))
        })
        .collect();
    nodes.sort_by_key(|(number, _)| *number);
    nodes.into_iter().map(|(_, cpus)| cpus).collect()
}

/// The part of each node that this process may use (`taskset`, containers).
fn usable(nodes: Vec<Cpus>, allowed: Option<&Cpus>) -> Vec<Cpus> {
    let part = |cpus: Cpus| match allowed {
        Some(allowed) => cpus.intersection(allowed).copied().collect(),
        None => cpus,
    };
    nodes.into_iter().map(part).filter(|cpus: &Cpus| !cpus.is_empty()).collect()
}

/// Parses a list as Linux writes it: `0-3,8`.
fn parse_cpus(text: &str) -> Option<Cpus> {
    let mut cpus = Cpus::new();
    for range in text.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if first > last || last >= MAX_CPUS {
            return None;
        }
        cpus.extend(first..=last);
    }
    Some(cpus)
}

/// More than the system calls know.
const MAX_CPUS: usize = 1024;

impl FromStr for NumaPolicy {
    type Err = InvalidNumaPolicy;

    fn from_str(text: &str) -> Result<NumaPolicy, InvalidNumaPolicy> {
        match text {
            "auto" => Ok(NumaPolicy::Auto),
            // Stockfish's `hardware` ignores the limits of this process, which cannot be exceeded anyway.
            "system" | "hardware" => Ok(NumaPolicy::System),
            "none" => Ok(NumaPolicy::None),
            nodes => {
                let nodes: Option<Vec<Cpus>> = nodes.split(':').map(parse_cpus).collect();
                nodes.map(NumaPolicy::Nodes).ok_or(InvalidNumaPolicy)
            }
        }
    }
}

/// Not a NUMA policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidNumaPolicy;

impl fmt::Display for InvalidNumaPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected auto, system, none, or CPUs by node such as 0-15:16-31")
    }
}

impl std::error::Error for InvalidNumaPolicy {}

/// The CPUs that this process may use, where the system says so.
#[cfg(target_os = "linux")]
fn allowed() -> Option<Cpus> {
    let set = rustix::thread::sched_getaffinity(None).ok()?;
    Some((0..MAX_CPUS.min(rustix::thread::CpuSet::MAX_CPU)).filter(|&cpu| set.is_set(cpu)).collect())
}

#[cfg(not(target_os = "linux"))]
fn allowed() -> Option<Cpus> {
    None
}

/// Binds the current thread to these CPUs, where the system can. A thread that is not bound is slower, not wrong.
#[cfg(target_os = "linux")]
pub(crate) fn bind(cpus: &Cpus) {
    let mut set = rustix::thread::CpuSet::new();
    cpus.iter().filter(|&&cpu| cpu < rustix::thread::CpuSet::MAX_CPU).for_each(|&cpu| set.set(cpu));
    let _ = rustix::thread::sched_setaffinity(None, &set);
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn bind(_: &Cpus) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn cpus(text: &str) -> Cpus {
        parse_cpus(text).expect("a list")
    }

    /// A folder as Linux has it on a machine with two nodes of four CPUs, and one node with memory alone.
    fn two_nodes(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("vedette-numa-{name}-{}", std::process::id()));
        for (node, list) in [("node0", "0-1,4-5\n"), ("node1", "2-3,6-7\n"), ("node2", "\n"), ("power", "")] {
            fs::create_dir_all(folder.join(node)).expect("a writable folder");
            fs::write(folder.join(node).join("cpulist"), list).expect("a writable folder");
        }
        fs::write(folder.join("online"), "0-1\n").expect("a writable folder");
        folder
    }

    #[test]
    fn nodes_are_read_from_the_system() {
        let folder = two_nodes("read");
        assert_eq!(read_nodes(&folder), [cpus("0-1,4-5"), cpus("2-3,6-7")]);
        assert_eq!(read_nodes(&folder.join("none")), Vec::<Cpus>::new());
        fs::remove_dir_all(folder).expect("a writable folder");
        assert_eq!(usable(vec![cpus("0-3"), cpus("4-7")], Some(&cpus("0-1,6"))), [cpus("0-1"), cpus("6")]);
        assert_eq!(usable(vec![cpus("0-3"), cpus("4-7")], Some(&cpus("0-3"))), [cpus("0-3")]);
    }

    #[test]
    fn threads_are_spread_over_nodes() {
        let nodes = [cpus("0-3"), cpus("4-7")];
        // They fit on one node: the system decides.
        assert_eq!(NumaPolicy::Auto.placement_on(&nodes, 4), Vec::<Cpus>::new());
        let placed = NumaPolicy::Auto.placement_on(&nodes, 6);
        assert_eq!(placed.iter().filter(|&cpus| *cpus == nodes[0]).count(), 3);
        assert_eq!(NumaPolicy::System.placement_on(&nodes, 2), nodes);
        assert_eq!(NumaPolicy::None.placement(64), Vec::<Cpus>::new());
        // One node needs nothing.
        assert_eq!(NumaPolicy::System.placement_on(&nodes[..1], 64), Vec::<Cpus>::new());
        // A node of twice the size gets twice the threads.
        let uneven = place(&[cpus("0-7"), cpus("8-11")], 12);
        assert_eq!(uneven.iter().filter(|&node| *node == cpus("0-7")).count(), 8);
    }

    #[test]
    fn policies_are_parsed() {
        assert_eq!("auto".parse(), Ok(NumaPolicy::Auto));
        assert_eq!("none".parse(), Ok(NumaPolicy::None));
        assert_eq!("hardware".parse(), Ok(NumaPolicy::System));
        assert_eq!("0-1:2,3".parse(), Ok(NumaPolicy::Nodes(vec![cpus("0-1"), cpus("2-3")])));
        for wrong in ["", "some", "3-1", "0-x", "0:", "0-99999"] {
            assert_eq!(wrong.parse::<NumaPolicy>(), Err(InvalidNumaPolicy), "{wrong}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn bound_thread_runs_on_its_cpus() {
        let first = *allowed().expect("Linux says so").first().expect("there is a CPU");
        let bound = std::thread::spawn(move || {
            bind(&Cpus::from([first]));
            allowed()
        });
        assert_eq!(bound.join().expect("it ends"), Some(Cpus::from([first])));
    }
}
