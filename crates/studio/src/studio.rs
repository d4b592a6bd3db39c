//! The studio behind the page: which part handles which request.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use engine::evaluation::Evaluation;
use tables::Tablebases;
use tokio::sync::watch;

use crate::analysis::{AnalysisEngine, MAX_HASH, MAX_LINES, available_threads};
use crate::clients::{ClientId, Clients};
use crate::doctor::{self, DoctorJobs};
use crate::engines::{Engines, ExternalEngine};
use crate::error::{RequestError, contained};
use crate::explain::explain;
use crate::facts::facts;
use crate::library::Library;
use crate::matches::Matches;
use crate::microscope::Microscope;
use crate::other_engines::OtherEngines;
use crate::play::GameInProgress;
use crate::protocol::{
    AnalysisRequest, ClientMessage, Event, Hello, InvalidMessage, Reply, Request, ServerMessage, parse_fen,
};
use crate::review::Reviews;
use crate::store::Store;
use crate::strength;

/// What a studio is started with.
pub struct StudioConfig {
    /// The evaluation of Vedette's own engine.
    pub evaluation: Evaluation,
    /// Its name, such as the network's hash.
    pub evaluation_name: String,
    /// The same as UCI options.
    pub options: Vec<(String, String)>,
    /// Vedette's executable, which the doctor starts.
    pub program: PathBuf,
    pub version: String,
    /// The engines of the command line.
    pub engines: Vec<ExternalEngine>,
    /// Those that are installed ([`installed`](crate::engines::installed)).
    pub installed: Vec<ExternalEngine>,
}

/// Everything behind the page.
pub struct Studio {
    clients: Arc<Clients>,
    store: Arc<Store>,
    engines: Arc<Engines>,
    game: GameInProgress,
    library: Library,
    /// For verdicts on positions; the engines open their own.
    tables: Option<Tablebases>,
    analysis: Arc<AnalysisEngine>,
    others: OtherEngines,
    matches: Matches,
    microscope: Microscope,
    reviews: Reviews,
    doctor: DoctorJobs,
    closing: watch::Sender<bool>,
    evaluation_name: String,
    version: String,
}

/// What a page gets for a message.
pub(crate) struct ServerReply {
    pub text: Utf8Bytes,
    /// Whether the message was a valid request.
    pub valid: bool,
}

impl ServerReply {
    fn invalid(number: Option<u64>, error: String) -> ServerReply {
        let message = match number {
            Some(number) => ServerMessage::Error { number, error },
            None => ServerMessage::Event(Event::Warning(error)),
        };
        ServerReply { text: message.to_json(), valid: false }
    }
}

impl Studio {
    /// Opens a studio; must be called inside a tokio runtime.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn open(config: StudioConfig, store: Store) -> io::Result<Arc<Studio>> {
        let (clients, store) = (Arc::new(Clients::new()), Arc::new(store));
        let shared = || (Arc::clone(&store), Arc::clone(&clients));
        let StudioConfig { evaluation, evaluation_name, options, program, version, engines, installed } =
            config;
        let engines = Arc::new(Engines::new(engines, store.folder().to_owned(), installed));
        let (shared_store, shared_clients) = shared();
        let reviews =
            Reviews::new(&options, &evaluation_name, Arc::clone(&engines), shared_store, shared_clients);
        let (shared_store, shared_clients) = shared();
        let doctor = DoctorJobs::new(
            &program,
            options.clone(),
            Arc::clone(&engines),
            &version,
            shared_store,
            shared_clients,
        );
        let analysis = Arc::new(AnalysisEngine::new(evaluation.clone(), Arc::clone(&clients)));
        let paths = options.iter().find(|(name, _)| name == "SyzygyPath").map(|(_, path)| path);
        let tables = paths.and_then(|path| {
            analysis.use_tablebases(path);
            Some(Tablebases::open(&tables::split_paths(path)).ok()?.tables)
        });
        let others = OtherEngines::new(Arc::clone(&engines), Arc::clone(&clients));
        let library = Library::new(Arc::clone(&store));
        let (shared_store, shared_clients) = shared();
        let microscope_options = options.clone();
        let matches = Matches::new(options, Arc::clone(&engines), shared_store, shared_clients);
        let (shared_store, shared_clients) = shared();
        let game =
            GameInProgress::new(evaluation.clone(), Arc::clone(&engines), shared_store, shared_clients)?;
        let (shared_store, shared_clients) = shared();
        let microscope =
            Microscope::new(evaluation, &evaluation_name, microscope_options, shared_store, shared_clients);
        let closing = watch::Sender::new(false);
        Ok(Arc::new(Studio {
            clients,
            store,
            engines,
            game,
            library,
            tables,
            analysis,
            others,
            matches,
            microscope,
            reviews,
            doctor,
            closing,
            evaluation_name,
            version,
        }))
    }

    pub(crate) fn clients(&self) -> &Clients {
        &self.clients
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Becomes true when the studio closes.
    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Stops all jobs and disconnects all pages.
    pub(crate) fn close(&self) {
        self.matches.stop();
        self.reviews.stop();
        self.doctor.stop();
        self.microscope.stop();
        self.closing.send_replace(true);
    }

    /// Stops what runs for a page that is gone.
    pub(crate) async fn forget(self: &Arc<Self>, client: ClientId) {
        let studio = Arc::clone(self);
        // It fails only if the runtime ends.
        let _ = tokio::task::spawn_blocking(move || studio.forget_blocking(client)).await;
    }

    /// As [`forget`](Self::forget), on this thread.
    pub(crate) fn forget_blocking(&self, client: ClientId) {
        self.analysis.stop(client);
        self.others.forget(client);
    }

    /// The page for which the engine analyses, and its number for the search.
    #[cfg(test)]
    pub(crate) fn analysis_owner(&self) -> Option<(ClientId, u64)> {
        self.analysis.owner_of_search()
    }

    #[cfg(test)]
    pub(crate) fn is_analysing(&self) -> bool {
        self.analysis.is_searching()
    }

    /// Answers a message of a page. Parsing, the work itself and writing the reply happen on a thread that may block,
    /// never on one that serves connections.
    pub(crate) async fn answer(self: &Arc<Self>, client: ClientId, text: Utf8Bytes) -> ServerReply {
        let studio = Arc::clone(self);
        let answer = tokio::task::spawn_blocking(move || studio.answer_blocking(client, &text)).await;
        // It panicked outside the request's own work, or the runtime ends.
        answer.unwrap_or_else(|_| ServerReply::invalid(None, RequestError::Internal.to_string()))
    }

    /// As [`answer`](Self::answer), on this thread. A panic ends the request and nothing else.
    pub(crate) fn answer_blocking(&self, client: ClientId, text: &str) -> ServerReply {
        match ClientMessage::parse(text) {
            Ok(ClientMessage { number, request }) => {
                let reply = ServerMessage::reply(number, contained(|| self.handle(client, request)));
                ServerReply { text: reply.to_json(), valid: true }
            }
            Err(InvalidMessage { number, error }) => ServerReply::invalid(number, error),
        }
    }

    fn handle(&self, client: ClientId, request: Request) -> Result<Reply, RequestError> {
        match request {
            Request::Hello => Ok(Reply::Hello(Box::new(self.hello(client)))),
            Request::Game(request) => self.game.handle(request),
            Request::Library(request) => self.library.handle(request),
            Request::Facts { position } => facts(&position, self.tables.as_ref()).map(Reply::Facts),
            Request::Analysis(request) => self.analyse(client, &request),
            Request::Explain { fen } => Ok(Reply::Explanation(explain(&self.analysis, &parse_fen(&fen)?))),
            Request::Review(request) => self.reviews.handle(request),
            Request::Trace(request) => self.microscope.handle(request),
            Request::Match(request) => self.matches.handle(request),
            Request::Doctor(request) => self.doctor.handle(request),
        }
    }

    fn hello(&self, client: ClientId) -> Hello {
        let (engines, invalid) = self.engines.all();
        if let Some(error) = invalid {
            self.clients.send_event(client, Event::Warning(error.to_string()));
        }
        Hello {
            version: self.version.clone(),
            evaluation: self.evaluation_name.clone(),
            elo: strength::range(),
            threads: available_threads(),
            max_lines: MAX_LINES,
            max_hash: MAX_HASH,
            engines: engines.into_iter().map(|engine| engine.name).collect(),
            checks: doctor::checks(),
            game: self.game.state().map(Box::new),
            r#match: self.matches.current().map(Box::new),
            review: self.reviews.progress(),
            doctor: self.doctor.progress(),
            trace: self.microscope.overview().map(Box::new),
            recording: self.microscope.is_busy(),
        }
    }

    fn analyse(&self, client: ClientId, request: &AnalysisRequest) -> Result<Reply, RequestError> {
        match request {
            AnalysisRequest::Start(start) => self.analysis.start(client, start)?,
            AnalysisRequest::Stop => self.analysis.stop(client),
            AnalysisRequest::Engines(start) => self.others.start(client, start)?,
        }
        Ok(Reply::Done)
    }
}
