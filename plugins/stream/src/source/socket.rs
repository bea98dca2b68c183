//! Streams by socket: TCP on loopback alone, or a Unix socket that only its owner may use.

use super::NAP;
use super::messages::Broken;
use super::outlet::Outlet;
use super::serve::{OnStall, serve};
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a refused peer may take to read why.
const FAREWELL: Duration = Duration::from_secs(1);

/// A connection of either kind.
pub(super) trait Connection: Read + Write + Send + 'static {
    /// Lets reading and writing wait for a short time only.
    fn prepare(&self) -> io::Result<()>;
    /// Ends one direction or both.
    fn shut(&self, how: Shutdown) -> io::Result<()>;
}

impl Connection for TcpStream {
    fn prepare(&self) -> io::Result<()> {
        self.set_nonblocking(false)?; // some systems hand the listener's setting down
        self.set_read_timeout(Some(NAP))?;
        self.set_write_timeout(Some(FAREWELL))
    }
    fn shut(&self, how: Shutdown) -> io::Result<()> {
        self.shutdown(how)
    }
}

#[cfg(unix)]
impl Connection for std::os::unix::net::UnixStream {
    fn prepare(&self) -> io::Result<()> {
        self.set_nonblocking(false)?;
        self.set_read_timeout(Some(NAP))?;
        self.set_write_timeout(Some(FAREWELL))
    }
    fn shut(&self, how: Shutdown) -> io::Result<()> {
        self.shutdown(how)
    }
}

/// Somebody at the door: the connection, its name, and why it is not let in.
pub(super) struct Caller {
    pub connection: Box<dyn Connection>,
    pub name: String,
    pub refusal: Option<String>,
}

/// Something that takes connections without waiting.
pub(super) trait Door: Send + 'static {
    fn answer(&mut self) -> io::Result<Caller>;
}

/// A port of 127.0.0.1.
pub(super) struct Port(TcpListener);

impl Port {
    pub fn open(port: u16) -> io::Result<(Self, u16)> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        Ok((Self(listener), port))
    }
}

impl Door for Port {
    fn answer(&mut self) -> io::Result<Caller> {
        let (connection, peer) = self.0.accept()?;
        Ok(Caller { connection: Box::new(connection), name: format!("tcp {peer}"), refusal: refusal(&peer) })
    }
}

/// Why a peer is not let in; nothing if it is on this machine.
fn refusal(peer: &SocketAddr) -> Option<String> {
    let local = match peer.ip() {
        IpAddr::V4(address) => address.is_loopback(),
        IpAddr::V6(address) => address.to_ipv4_mapped().map_or(address.is_loopback(), |mapped| mapped.is_loopback()),
    };
    (!local).then(|| format!("{} is not this machine: only programs that run here are listened to", peer.ip()))
}

/// Takes connections until nobody listens any more, each read by a thread of its own.
pub(super) fn listen(mut door: impl Door, outlet: &Outlet, served: &Arc<AtomicUsize>) {
    let queue = &outlet.shared.queue;
    let mut threads: Vec<JoinHandle<()>> = Vec::new();
    let mut last_error = None;
    while !queue.is_closed() {
        threads.retain(|thread| !thread.is_finished());
        match door.answer() {
            Ok(caller) => {
                last_error = None;
                threads.extend(receive(caller, outlet, served));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                let quiet = error.kind() == io::ErrorKind::WouldBlock || last_error == Some(error.kind());
                if !quiet {
                    outlet.trouble(format!("connections cannot be taken: {error}"));
                    last_error = Some(error.kind());
                }
                queue.rest(NAP / 2);
            }
        }
    }
    threads.into_iter().for_each(|thread| drop(thread.join())); // a panic of theirs was printed already
}

/// Lets a caller in, or tells it why not.
fn receive(caller: Caller, outlet: &Outlet, served: &Arc<AtomicUsize>) -> Option<JoinHandle<()>> {
    let Caller { connection, name, refusal } = caller;
    let outlet = outlet.named(name);
    let most = outlet.shared.limits.connections;
    let place = Place::take(served);
    let busy = || (place.number > most).then(|| format!("{most} connections are served already; try again later"));
    let refusal = refusal.or_else(busy);
    let thread = std::thread::Builder::new().name("connection".to_owned());
    let told = outlet.clone();
    let started = thread.spawn(move || {
        let _place = place;
        if let Some(refusal) = refusal {
            outlet.trouble(&refusal);
            return dismiss(connection, &outlet, &refusal);
        }
        if outlet.connected() {
            converse(connection, &outlet);
            outlet.ended();
        }
    });
    started.map_err(|error| told.trouble(format!("no thread to read it: {error}"))).ok()
}

fn converse(connection: Box<dyn Connection>, outlet: &Outlet) {
    if let Err(error) = connection.prepare() {
        outlet.trouble(error);
        return;
    }
    match serve(connection, outlet, OnStall::HangUp) {
        (_, Ok(()) | Err(Broken::Closed)) => {}
        (connection, Err(broken)) => {
            let message = broken.to_string();
            outlet.trouble(&message);
            dismiss(connection, outlet, &message);
        }
    }
}

/// Tells a peer why it is refused. What it still sends is let go by, for a while: a connection closed on unread bytes
/// would take the answer back.
fn dismiss(mut connection: Box<dyn Connection>, outlet: &Outlet, message: &str) {
    let begun = Instant::now();
    let told = connection.prepare().and_then(|()| writeln!(connection, "nevis: {message}"));
    if told.and_then(|()| connection.shut(Shutdown::Write)).is_err() {
        return; // it has gone
    }
    let mut waste = vec![0; 1 << 16];
    while begun.elapsed() < FAREWELL && !outlet.shared.queue.is_closed() {
        match connection.read(&mut waste) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
    }
}

/// One of the places for connections; free again when it is dropped.
struct Place {
    served: Arc<AtomicUsize>,
    number: usize,
}

impl Place {
    fn take(served: &Arc<AtomicUsize>) -> Self {
        let number = served.fetch_add(1, Ordering::SeqCst) + 1;
        Self { served: Arc::clone(served), number }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.served.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_let_in() {
        for local in ["127.0.0.1:5", "127.8.9.1:80", "[::1]:9", "[::ffff:127.0.0.1]:9"] {
            assert_eq!(refusal(&local.parse().unwrap()), None, "{local}");
        }
        for foreign in ["10.0.0.7:5", "192.168.1.2:1", "0.0.0.0:3", "[::ffff:10.0.0.7]:9", "[2001:db8::1]:9", "[::]:4"]
        {
            let message = refusal(&foreign.parse().unwrap()).unwrap_or_else(|| panic!("{foreign} was let in"));
            assert!(message.contains("is not this machine"), "{message}");
        }
    }
}
