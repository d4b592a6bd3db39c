//! Checks of input and output paths before the work begins.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use review::JournalHeader;

use super::output_file;

/// Refuses to overwrite the input, to overwrite a file that is not a journal, to write two outputs to one file, and
/// outputs that cannot be written.
pub fn check_outputs(
    input: (&Path, &str),
    outputs: &[(Option<&Path>, &str)],
    journal: &Path,
) -> Result<(), String> {
    let mut taken = vec![input];
    let outputs = outputs.iter().filter_map(|&(path, option)| Some((path?, option)));
    for (path, option) in outputs.chain([(journal, "--journal")]) {
        if let Some((_, other)) = taken.iter().find(|(other, _)| is_same_file(other, path)) {
            return Err(format!("{}: cannot be both {other} and {option}", path.display()));
        }
        if path != journal {
            output_file::check(path)?;
        }
        taken.push((path, option));
    }
    if !may_be_journal(journal) {
        return Err(format!("{}: not a journal; choose another with --journal", journal.display()));
    }
    Ok(())
}

/// Whether two paths are the same file, which need not exist yet. A terminal or a pipe may be both read and written.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(folder.join(path.file_name()?))
        })
    };
    let is_special = |path: &Path| path.metadata().is_ok_and(|there| !there.is_file());
    !is_special(one) && place(one).is_some_and(|place_of_one| place(other) == Some(place_of_one))
}

/// Whether a file is a journal, or empty or missing, so that nothing is lost when it is overwritten.
fn may_be_journal(path: &Path) -> bool {
    const LONGEST_HEADER: u64 = 1 << 16;
    let Ok(file) = File::open(path) else { return true };
    let mut first = Vec::new();
    let read = BufReader::new(file.take(LONGEST_HEADER)).read_until(b'\n', &mut first);
    read.is_ok() && (first.is_empty() || serde_json::from_slice::<JournalHeader>(&first).is_ok())
}
