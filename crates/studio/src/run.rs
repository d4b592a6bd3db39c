//! Runs a studio from start to shutdown: what `vedette studio` calls.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use crate::access::new_token;
use crate::folder_lock::{FolderLock, Instance, LockError, write_address};
use crate::private;
use crate::server::{Server, Shutdown};
use crate::store::Store;
use crate::studio::{Studio, StudioConfig};

/// Threads for connections; searches have their own.
const IO_THREADS: usize = 2;

/// Where a studio listens, and where it stores its data.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The address to listen on.
    pub host: IpAddr,
    /// The port; 0 for any free port.
    pub port: u16,
    /// Use any free port if this one is taken.
    pub any_port: bool,
    pub folder: PathBuf,
}

/// Why a studio did not start.
#[derive(Debug)]
pub enum ServeError {
    /// Another studio uses this data folder.
    InUse {
        folder: PathBuf,
        /// The other studio, if it has written its address already.
        by: Option<Instance>,
    },
    /// The data folder cannot be used, or the address cannot be bound.
    Io(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::InUse { folder, by } => {
                write!(f, "data folder {} is in use by another studio", folder.display())?;
                by.as_ref().map_or(Ok(()), |by| write!(f, " {by}"))
            }
            ServeError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ServeError {}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> ServeError {
        ServeError::Io(error)
    }
}

/// Opens a studio, calls `listening` with its URL, and serves until the shutdown is triggered.
///
/// Everything that this process and its engines write from now on is private to the user.
///
/// # Errors
/// Another studio uses the data folder, it cannot be used, or the address cannot be bound.
pub fn run(
    config: StudioConfig,
    server: &ServerConfig,
    shutdown: &Shutdown,
    listening: impl FnOnce(&str),
) -> Result<(), ServeError> {
    let folder = &server.folder;
    let with_folder =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
    private::set_umask();
    private::create_folder(folder).map_err(with_folder)?;
    let store = Store::open(folder.clone()).map_err(with_folder)?;
    let _lock = FolderLock::acquire(folder).map_err(|error| match error {
        LockError::InUse(by) => ServeError::InUse { folder: folder.clone(), by },
        LockError::Io(error) => with_folder(error).into(),
    })?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(IO_THREADS).enable_all().build()?;
    let done = runtime.block_on(async {
        let server = listen(server, Studio::open(config, store)?).await?;
        write_address(server.store(), &server.url()).map_err(with_folder)?;
        listening(&server.url());
        server.run(shutdown).await;
        Ok(())
    });
    // A search that is being stopped must not keep the program from exiting.
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
    done
}

async fn listen(config: &ServerConfig, studio: std::sync::Arc<Studio>) -> io::Result<Server> {
    // A new one at each start: when a studio has stopped, somebody else can listen on its port, and open pages send their
    // cookie there.
    let token = new_token().map_err(io::Error::other)?;
    let address = SocketAddr::new(config.host, config.port);
    let first = Server::listen(address, token.clone(), std::sync::Arc::clone(&studio)).await;
    match first {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && config.any_port => {
            Server::listen(SocketAddr::new(config.host, 0), token, studio).await
        }
        Err(error) => Err(io::Error::new(error.kind(), format!("{address}: {error}"))),
        listening => listening,
    }
}
