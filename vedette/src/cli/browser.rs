//! Opens a URL with a secret in the user's browser. The browser's arguments are visible to every user of the machine, so it
//! gets a file that leads to the URL and that only this user can read.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Opens a URL; the file is written to this folder. Returns the program that opens it, which may run as long as the browser.
pub fn open(url: &str, folder: &Path) -> io::Result<Child> {
    let path = snap_folder().as_deref().unwrap_or(folder).join("vedette-studio.html");
    write_redirect(url, &path)?;
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn()
}

fn write_redirect(url: &str, path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let text = format!(
        "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Vedette studio</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url={url}\">\n<a href=\"{url}\">Open Vedette studio</a>\n"
    );
    options.open(path)?.write_all(text.as_bytes())
}

/// A browser that is installed as a snap cannot read hidden folders such as `~/.local`, but a folder of its own.
fn snap_folder() -> Option<PathBuf> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let output = Command::new("xdg-settings").args(["get", "default-web-browser"]).output().ok()?;
    let name = String::from_utf8(output.stdout).ok()?;
    // Such as firefox_firefox.desktop: the snap's name, then the program's.
    let (snap, _) = name.trim().strip_suffix(".desktop")?.split_once('_')?;
    let folder = PathBuf::from(env::var_os("HOME")?).join("snap").join(snap).join("common");
    folder.is_dir().then_some(folder)
}
