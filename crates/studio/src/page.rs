//! The page's files, embedded at build time, and a placeholder for builds without them.

#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    pub media_type: &'static str,
    pub bytes: &'static [u8],
    /// Whether its name contains a hash of its content, so that browsers can cache it forever.
    pub immutable: bool,
}

const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// Shown if the page was not built.
const MISSING: &str = include_str!("missing.html");

/// Whether this build contains the page.
pub fn is_built() -> bool {
    !FILES.is_empty()
}

/// The file with this path, without the leading slash; the empty path is the page itself.
pub fn file(path: &str) -> Option<PageFile> {
    let name = if path.is_empty() { "index.html" } else { path };
    let found = FILES.iter().find(|(known, _)| *known == name);
    match found {
        Some((name, bytes)) => {
            Some(PageFile { media_type: media_type(name), bytes, immutable: name.starts_with("assets/") })
        }
        None if name == "index.html" => {
            Some(PageFile { media_type: media_type(name), bytes: MISSING.as_bytes(), immutable: false })
        }
        None => None,
    }
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "webmanifest" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_always_exists() {
        let page = file("").expect("a page");
        assert_eq!(page.media_type, "text/html; charset=utf-8");
        assert!(!page.bytes.is_empty() && !page.immutable);
        assert!(file("../Cargo.toml").is_none() && file("assets/../index.html").is_none());
    }
}
