//! Runs a studio from start to end: what `vedette studio` calls.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use crate::access::new_token;
use crate::claim::{Claim, Running, Taken};
use crate::server::{Server, Stop};
use crate::store::Store;
use crate::studio::{Setup, Studio};

/// Threads that talk to pages; thinking has its own.
const TALKERS: usize = 2;

/// Where a studio listens, and where it keeps things.
#[derive(Clone, Debug)]
pub struct Place {
    /// The address to listen at; beyond loopback pages need a token.
    pub host: IpAddr,
    /// The port; 0 for any free one.
    pub port: u16,
    /// Take any free port if this one is taken.
    pub any_port: bool,
    /// The data folder.
    pub folder: PathBuf,
}

/// Why a studio does not serve.
#[derive(Debug)]
pub enum RunError {
    /// Another studio serves this data folder; it may not have told its address yet.
    Taken {
        /// The data folder.
        folder: PathBuf,
        /// The other studio.
        by: Option<Running>,
    },
    /// The data folder cannot be used, or the address cannot be listened at.
    System(io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Taken { folder, by } => {
                write!(f, "data folder {} is in use by another studio", folder.display())?;
                by.as_ref().map_or(Ok(()), |by| write!(f, " {by}"))
            }
            RunError::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

impl From<io::Error> for RunError {
    fn from(error: io::Error) -> RunError {
        RunError::System(error)
    }
}

/// Opens a studio, tells its URL once it listens, and serves until the switch is pressed.
///
/// # Errors
/// Another studio serves the data folder, it cannot be used, or the address cannot be listened at.
pub fn run(setup: Setup, place: &Place, stop: &Stop, listening: impl FnOnce(&str)) -> Result<(), RunError> {
    let folder = &place.folder;
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
    let store = Store::open(folder.clone()).map_err(named)?;
    let claim = Claim::take(folder).map_err(|taken| match taken {
        Taken::By(by) => RunError::Taken { folder: folder.clone(), by },
        Taken::File(error) => named(error).into(),
    })?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(TALKERS).enable_all().build()?;
    let done = runtime.block_on(async {
        let server = listen(place, Studio::open(setup, store)).await?;
        // Who may come in without a token needs none from there either.
        claim.tell(server.store(), &format!("http://{}/", server.address())).map_err(named)?;
        listening(&server.url());
        server.run(stop).await;
        Ok(())
    });
    // A search that is being stopped must not keep the program from ending.
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
    done
}

async fn listen(place: &Place, studio: std::sync::Arc<Studio>) -> io::Result<Server> {
    let token = if place.host.is_loopback() { None } else { Some(new_token().map_err(io::Error::other)?) };
    let address = SocketAddr::new(place.host, place.port);
    let first = Server::listen(address, token.clone(), std::sync::Arc::clone(&studio)).await;
    match first {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && place.any_port => {
            Server::listen(SocketAddr::new(place.host, 0), token, studio).await
        }
        Err(error) => Err(io::Error::new(error.kind(), format!("{address}: {error}"))),
        listening => listening,
    }
}
