//! Finds the commit since which a finding fails, or no longer fails.

use std::collections::HashSet;

use super::{FindingState, RevisionError, Revisions};
use crate::catalogue::FindingId;

/// What is looked for.
pub struct Bisection {
    pub finding: FindingId,
    /// A revision in which the finding does not fail; without one, ancestors are tried at growing distances.
    pub good: Option<String>,
    /// A revision in which it fails.
    pub bad: String,
}

/// The result of a bisection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BisectResult {
    /// The first commit with another result than its parents.
    Found { commit: String, before: FindingState, after: FindingState },
    /// One of these, but the rest cannot be built or measured.
    Undecided { commits: Vec<String>, before: FindingState, after: FindingState },
    /// No ancestor has another result.
    Unchanged { oldest: String, answer: FindingState },
}

impl FindingState {
    fn fails(&self) -> Option<bool> {
        match self {
            Self::Fails(_) => Some(true),
            Self::Passes(_) => Some(false),
            Self::Unknown(_) => None,
        }
    }
}

/// A commit with one result, and older ones with the other.
struct BisectRange {
    new: String,
    old: HashSet<String>,
    fails: bool,
}

/// Finds the commit. `examine` gets a commit and about how many are left to examine.
///
/// # Errors
/// The ends do not fit, or a revision cannot be examined.
pub fn bisect(
    revisions: &mut Revisions,
    wanted: &Bisection,
    mut examine: impl FnMut(&mut Revisions, &str, u32) -> Result<FindingState, RevisionError>,
) -> Result<BisectResult, RevisionError> {
    let bad = revisions.repository.commit(&wanted.bad)?;
    let range = match &wanted.good {
        Some(good) => {
            let good = revisions.repository.commit(good)?;
            between(revisions, wanted, &good, &bad, &mut examine)?
        }
        None => match search_back(revisions, wanted, &bad, &mut examine)? {
            Ok(range) => range,
            Err(unchanged) => return Ok(unchanged),
        },
    };
    narrow(revisions, wanted.finding, range, examine)
}

/// The range between two revisions that the user named.
fn between(
    revisions: &mut Revisions,
    wanted: &Bisection,
    good: &str,
    bad: &str,
    examine: &mut impl FnMut(&mut Revisions, &str, u32) -> Result<FindingState, RevisionError>,
) -> Result<BisectRange, RevisionError> {
    let brought = revisions.repository.is_ancestor(good, bad);
    if !brought && !revisions.repository.is_ancestor(bad, good) {
        return Err(RevisionError::Ends(
            "neither of the two revisions is an ancestor of the other".to_owned(),
        ));
    }
    for (revision, is_bad) in [(good, false), (bad, true)] {
        let answer = examine(revisions, revision, 2)?;
        if answer.fails() != Some(is_bad) {
            let (short, role) = (&revision[..revision.len().min(10)], if is_bad { "bad" } else { "good" });
            let id = wanted.finding.name();
            return Err(RevisionError::Ends(match answer {
                FindingState::Fails(_) => format!("{short} is not {role}: {id} fails there"),
                FindingState::Passes(_) => format!("{short} is not {role}: {id} does not fail there"),
                FindingState::Unknown(reason) => format!("{short}: {id} cannot be measured: {reason}"),
            }));
        }
    }
    let (old, new) = if brought { (good, bad) } else { (bad, good) };
    Ok(BisectRange { new: new.to_owned(), old: HashSet::from([old.to_owned()]), fails: brought })
}

/// Goes back from a revision, at growing distances, to one with another result.
fn search_back(
    revisions: &mut Revisions,
    wanted: &Bisection,
    from: &str,
    examine: &mut impl FnMut(&mut Revisions, &str, u32) -> Result<FindingState, RevisionError>,
) -> Result<Result<BisectRange, BisectResult>, RevisionError> {
    let line = revisions.repository.first_parents(from)?;
    let first = examine(revisions, from, line.len().ilog2())?;
    let Some(fails) = first.fails() else {
        let FindingState::Unknown(reason) = first else { return Err(RevisionError::Interrupted) };
        let (id, revision) = (wanted.finding.name(), &wanted.bad);
        return Err(RevisionError::Ends(format!("{revision}: {id} cannot be measured: {reason}")));
    };
    let (mut new, mut last) = (0, first);
    let (mut index, mut distance) = (1, 1);
    while index < line.len() {
        let answer = examine(revisions, &line[index], (line.len() - index).ilog2() + 1)?;
        match answer.fails() {
            Some(other) if other != fails => {
                let old = HashSet::from([line[index].clone()]);
                return Ok(Ok(BisectRange { new: line[new].clone(), old, fails }));
            }
            Some(_) => {
                (new, last) = (index, answer);
                distance *= 2;
                // The root is the last that is tried.
                index =
                    if index + 1 == line.len() { line.len() } else { (index + distance).min(line.len() - 1) };
            }
            // The next one may build.
            None => index += 1,
        }
    }
    Ok(Err(BisectResult::Unchanged { oldest: line[new].clone(), answer: last }))
}

/// Halves the range until one commit is left.
fn narrow(
    revisions: &mut Revisions,
    finding: FindingId,
    mut range: BisectRange,
    mut examine: impl FnMut(&mut Revisions, &str, u32) -> Result<FindingState, RevisionError>,
) -> Result<BisectResult, RevisionError> {
    let (mut unknown, mut in_a_row) = (HashSet::new(), 0);
    loop {
        let commits = revisions.repository.candidates(&range.new, &range.old)?;
        let open: Vec<&String> =
            commits.iter().filter(|&commit| *commit != range.new && !unknown.contains(commit)).collect();
        let Some(next) = choose(&open, in_a_row).map(|commit| (*commit).clone()) else {
            return conclude(revisions, finding, &range, commits);
        };
        let answer = examine(revisions, &next, (open.len() as u32).ilog2() + 1)?;
        in_a_row = if answer.fails().is_none() { in_a_row + 1 } else { 0 };
        match answer.fails() {
            Some(fails) if fails == range.fails => range.new = next,
            Some(_) => drop(range.old.insert(next)),
            None => drop(unknown.insert(next)),
        }
    }
}

/// The commit that halves the range best; after commits that do not build, one further away, because neighbours share their
/// fate.
fn choose<'a>(open: &[&'a String], skipped: usize) -> Option<&'a String> {
    // Multiples of the golden ratio are spread evenly; the square prefers the middle of the range.
    let place = (skipped as f64 * 0.618_034).fract().powi(2);
    open.get((place * open.len() as f64) as usize).copied()
}

fn conclude(
    revisions: &Revisions,
    finding: FindingId,
    range: &BisectRange,
    commits: Vec<String>,
) -> Result<BisectResult, RevisionError> {
    let answer = |commit: &str| revisions.known(commit).map(|examined| examined.answer(finding));
    let missing = || FindingState::Unknown("not examined".to_owned());
    let after = answer(&range.new).unwrap_or_else(missing);
    let parents = revisions.repository.parents(&range.new)?;
    let old = parents.iter().filter(|parent| range.old.contains(*parent));
    let before = old.chain(&range.old).find_map(|commit| answer(commit)).unwrap_or_else(missing);
    if commits.len() <= 1 {
        return Ok(BisectResult::Found { commit: range.new.clone(), before, after });
    }
    Ok(BisectResult::Undecided { commits, before, after })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_commits_are_left_behind() {
        let names: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        let open: Vec<&String> = names.iter().collect();
        let places: Vec<usize> = (0..5).filter_map(|skipped| choose(&open, skipped)?.parse().ok()).collect();
        assert_eq!(places[0], 0);
        let mut unique = places.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), places.len(), "{places:?}");
        assert_eq!(choose(&[], 3), None);
    }
}
