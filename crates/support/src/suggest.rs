//! "Did you mean": suggestions for misspelt names.

/// The candidate with the smallest edit distance; `None` if none is similar enough.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1) + 1;
    candidates
        .into_iter()
        .map(|candidate| (strsim::levenshtein(&name.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_candidate() {
        let known = ["concurrency", "openings", "resign", "draw", "each"];
        assert_eq!(nearest("concurency", known), Some("concurrency"));
        assert_eq!(nearest("Opening", known), Some("openings"));
        assert_eq!(nearest("xyz", known), None);
        assert_eq!(nearest("", known), None);
    }
}
