//! Keeps the studio's files from other users of the machine: the games, and the token with which the studio is used.

use std::io;
use std::path::Path;

/// From now on only this user can read the files that this process and its children create.
pub fn set_umask() {
    #[cfg(unix)]
    {
        use rustix::fs::Mode;
        use rustix::process::umask;
        umask(Mode::RWXG | Mode::RWXO);
    }
}

/// Creates a private folder, or makes an existing one private.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    support::files::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let permissions = std::fs::metadata(folder)?.permissions();
        if permissions.mode() & 0o077 != 0 {
            let set =
                std::fs::set_permissions(folder, PermissionsExt::from_mode(permissions.mode() & !0o077));
            set.map_err(|error| {
                let text =
                    format!("other users can access this folder, and it cannot be made private: {error}");
                io::Error::new(error.kind(), text)
            })?;
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn folder_is_private() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("new/data");
        let mode = || fs::metadata(&folder).expect("there").permissions().mode() & 0o777;
        create_folder(&folder).expect("created");
        assert_eq!(mode() & 0o077, 0);
        fs::set_permissions(&folder, PermissionsExt::from_mode(0o755)).expect("ours");
        create_folder(&folder).expect("there already");
        assert_eq!(mode(), 0o700);
    }
}
