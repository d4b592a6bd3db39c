//! The HTTP server: refuses everything that does not come from its own page, and serves the page and its WebSocket.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, Query, Request, State, WebSocketUpgrade};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::access::{Access, Refusal};
use crate::connections::{Connections, Ticket};
use crate::protocol::MAX_MESSAGE;
use crate::store::{Collection, Id, Store};
use crate::studio::Studio;
use crate::{connection, page};

/// How long a client may take to send the header of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// The largest header of a request, in bytes.
const MAX_HEADER: usize = 16 * 1024;
/// How long connections may take to close when the studio stops.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);

/// The page may load from here and nowhere else. The board's arrows need style attributes.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
style-src-attr 'unsafe-inline'; img-src 'self' data:; \
connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// A report is a static document.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; \
frame-ancestors 'none'";

/// A studio that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    header_timeout: Duration,
    state: Arc<Shared>,
}

struct Shared {
    access: Access,
    studio: Arc<Studio>,
}

/// Shuts a server down from outside.
#[derive(Clone, Debug, Default)]
pub struct Shutdown(watch::Sender<bool>);

impl Shutdown {
    /// A switch that is not triggered yet.
    pub fn new() -> Shutdown {
        Shutdown::default()
    }

    /// Shuts the server down.
    pub fn trigger(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Listens on an address; port 0 is any free port. Only clients with the token can use the studio.
    ///
    /// # Errors
    /// The address cannot be bound.
    pub async fn listen(address: SocketAddr, token: String, studio: Arc<Studio>) -> io::Result<Server> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let access = Access::new(address, token);
        let state = Arc::new(Shared { access, studio });
        Ok(Server { listener, address, header_timeout: HEADER_TIMEOUT, state })
    }

    /// Sets how long a client may take to send the header of a request.
    #[must_use]
    pub fn with_header_timeout(self, header_timeout: Duration) -> Server {
        Server { header_timeout, ..self }
    }

    /// The bound address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn store(&self) -> &Store {
        self.state.studio.store()
    }

    /// The URL of the page, with the token.
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", reachable(self.address), self.state.access.token())
    }

    /// Serves until the shutdown is triggered.
    pub async fn run(self, shutdown: &Shutdown) {
        let app = routes(Arc::clone(&self.state));
        let connections = Arc::new(Connections::default());
        let mut tasks = JoinSet::new();
        let mut stopped = shutdown.0.subscribe();
        loop {
            let stream = tokio::select! {
                accepted = self.listener.accept() => {
                    let Ok((stream, _)) = accepted else {
                        // Too many open files, or the client is gone: try again.
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    };
                    stream
                }
                // A connection has ended; if it panicked, the others go on.
                Some(_) = tasks.join_next() => continue,
                () = becomes_true(&mut stopped) => break,
            };
            let (ticket, evicted) = connections.enter();
            let app = app.clone().layer(Extension(Arc::new(ticket)));
            let (closing, header_timeout) = (self.state.studio.closing(), self.header_timeout);
            tasks.spawn(async move {
                tokio::select! {
                    () = serve_connection(stream, app, closing, header_timeout) => {}
                    _ = evicted => {}
                }
            });
        }
        self.state.studio.close();
        let mut pages = self.state.studio.clients().count();
        let gone = async {
            while tasks.join_next().await.is_some() {}
            drop(pages.wait_for(|&pages| pages == 0).await);
        };
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, gone).await;
    }
}

async fn serve_connection(
    stream: TcpStream,
    app: Router,
    mut closing: watch::Receiver<bool>,
    header_timeout: Duration,
) {
    // Moves and clocks are small messages that must not wait for more.
    let _ = stream.set_nodelay(true);
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(header_timeout)
        .max_buf_size(MAX_HEADER)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(app))
        .with_upgrades();
    tokio::pin!(connection);
    tokio::select! {
        // Clients may disconnect at any time.
        _ = &mut connection => return,
        () = becomes_true(&mut closing) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

pub(crate) async fn becomes_true(flag: &mut watch::Receiver<bool>) {
    drop(flag.wait_for(|&value| value).await);
}

/// The address by which other machines reach a server: for one that listens on all interfaces, that of the default
/// route. Nothing is sent to find it out.
fn reachable(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    // Addresses reserved for documentation.
    let (far, alone): (IpAddr, IpAddr) = match address {
        SocketAddr::V4(_) => (Ipv4Addr::new(192, 0, 2, 1).into(), Ipv4Addr::LOCALHOST.into()),
        SocketAddr::V6(_) => {
            (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(), Ipv6Addr::LOCALHOST.into())
        }
    };
    let outgoing = || -> io::Result<SocketAddr> {
        let socket = UdpSocket::bind(SocketAddr::new(address.ip(), 0))?;
        socket.connect(SocketAddr::new(far, 9))?;
        socket.local_addr()
    };
    SocketAddr::new(outgoing().map_or(alone, |address| address.ip()), address.port())
}

fn routes(state: Arc<Shared>) -> Router {
    let with_token = Router::new()
        .route("/socket", get(socket))
        .route("/report/{id}", get(report))
        .layer(middleware::from_fn_with_state(Arc::clone(&state), require_token));
    Router::new()
        .merge(with_token)
        .route("/access", get(access))
        .fallback(get(page_file))
        .layer(middleware::from_fn_with_state(Arc::clone(&state), guard))
        .with_state(state)
}

/// The query of the printed URL.
#[derive(Deserialize)]
struct TokenQuery {
    token: Option<String>,
}

/// Refuses requests from other sites, exchanges the token of the printed URL for a cookie, and adds the security headers.
async fn guard(
    State(state): State<Arc<Shared>>,
    Query(query): Query<TokenQuery>,
    request: Request,
    next: Next,
) -> Response {
    let access = &state.access;
    let mut response = match access.check_origin(request.headers(), request.uri().path() == "/socket") {
        Err(refusal) => refused(refusal),
        Ok(()) => match query.token {
            None => next.run(request).await,
            Some(token) if access.is_token(&token) => {
                ([(header::SET_COOKIE, access.cookie())], Redirect::to("/")).into_response()
            }
            Some(_) => refused(Refusal::Token),
        },
    };
    let headers = response.headers_mut();
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Browsers accept this one only on trusted origins, and log an error elsewhere.
    if access.is_loopback() {
        let name = HeaderName::from_static("cross-origin-opener-policy");
        headers.insert(name, HeaderValue::from_static("same-origin"));
    }
    response
}

/// Refuses requests without the token; a connection that has shown it stays open.
async fn require_token(
    State(state): State<Arc<Shared>>,
    Extension(ticket): Extension<Arc<Ticket>>,
    request: Request,
    next: Next,
) -> Response {
    match state.access.check_token(request.headers()) {
        Err(refusal) => refused(refusal),
        Ok(()) if ticket.admit() => next.run(request).await,
        Ok(()) => (StatusCode::SERVICE_UNAVAILABLE, "Too many connections.\n").into_response(),
    }
}

fn refused(refusal: Refusal) -> Response {
    (refusal.status(), refusal.text()).into_response()
}

/// Whether the page may open its WebSocket: a script does not get to know why one was refused.
async fn access(State(state): State<Arc<Shared>>, request: Request) -> Response {
    let allowed = state.access.check_token(request.headers()).is_ok();
    ([(header::CONTENT_TYPE, "application/json")], allowed.to_string()).into_response()
}

async fn socket(State(state): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    let studio = Arc::clone(&state.studio);
    upgrade
        .max_message_size(MAX_MESSAGE)
        .max_frame_size(MAX_MESSAGE)
        .write_buffer_size(0)
        .max_write_buffer_size(4 * MAX_MESSAGE)
        .on_upgrade(move |socket| connection::serve(socket, studio))
}

async fn page_file(request: Request) -> Response {
    let Some(file) = page::file(request.uri().path().trim_start_matches('/')) else {
        return (StatusCode::NOT_FOUND, "Page not found.\n").into_response();
    };
    let keep = if file.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [(header::CONTENT_TYPE, file.media_type), (header::CACHE_CONTROL, keep)];
    (headers, Body::from(file.bytes)).into_response()
}

/// A report of the doctor.
async fn report(State(state): State<Arc<Shared>>, Path(id): Path<String>) -> Response {
    let found = Id::parse(&id).map(|id| {
        tokio::task::spawn_blocking(move || state.studio.store().read(Collection::Reports, &id, "html"))
    });
    let text = match found {
        Some(reading) => reading.await.ok().and_then(Result::ok),
        None => None,
    };
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
    ];
    match text {
        Some(text) => (headers, text).into_response(),
        None => (StatusCode::NOT_FOUND, "Report not found.\n").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_address_is_reachable() {
        for text in ["127.0.0.1:8111", "192.168.1.2:80", "[::1]:1"] {
            let address: SocketAddr = text.parse().expect("an address");
            assert_eq!(reachable(address), address);
        }
        for text in ["0.0.0.0:8111", "[::]:8111"] {
            let address: SocketAddr = text.parse().expect("an address");
            let printed = reachable(address);
            assert!(!printed.ip().is_unspecified() && printed.port() == 8111, "{printed}");
            assert_eq!(printed.is_ipv4(), address.is_ipv4());
        }
    }
}
