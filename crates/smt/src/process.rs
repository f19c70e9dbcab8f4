//! A child process with its three pipes, each served by a thread, so that neither side can block
//! the other and every wait has a time limit.

use crate::splitter::Splitter;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use verdict::{Halt, StopReason};

/// A running solver. Dropping it kills and reaps the child.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    input: Sender<String>,
    events: Receiver<Event>,
    complaints: String,
}

/// How long to wait for a reply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait<'a> {
    pub(crate) deadline: Option<Instant>,
    pub(crate) halt: &'a Halt,
}

/// The interval at which a wait checks whether the run has to end.
const TICK: Duration = Duration::from_millis(50);

/// What the threads report.
#[derive(Debug)]
enum Event {
    /// A complete reply on the standard output.
    Reply(String),
    /// The standard output ended.
    OutputEnded,
    /// The solver sent a reply that is far too long.
    Flood,
    /// Text on the standard error.
    Complaint(String),
    /// The standard error ended.
    ComplaintsEnded,
}

/// Limit on unread replies: a solver that prints without end must not fill the memory.
const WAITING_REPLIES: usize = 1024;
/// Limit on the bytes of a reply; a longer one is nonsense.
const MAX_REPLY: usize = 256 << 20;
/// Limit on the kept bytes of the standard error.
const MAX_COMPLAINTS: usize = 2000;
/// How long the last output of a dead solver may take to arrive.
const LAST_WORDS: Duration = Duration::from_millis(300);

impl Process {
    pub(crate) fn spawn(program: &Path, arguments: &[&str]) -> io::Result<Self> {
        // A process group of its own, so that processes which a wrapper script starts can be ended
        // with it.
        let mut child = Command::new(program)
            .args(arguments)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (event_sender, events) = sync_channel(WAITING_REPLIES);
        let (input, texts) = channel();
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            panic!("internal error: a pipe of a child was not opened");
        };
        // The threads end when the pipes close; nothing waits for them, because a grandchild may
        // keep a pipe open.
        let complaint_sender = event_sender.clone();
        let _ = thread::spawn(move || write_texts(stdin, &texts));
        let _ = thread::spawn(move || read_replies(stdout, &event_sender));
        let _ = thread::spawn(move || read_complaints(stderr, &complaint_sender));
        Ok(Self { child, input, events, complaints: String::new() })
    }

    /// Hands commands to the solver, without waiting. If the solver is gone, the next
    /// [`Process::reply`] reports it.
    pub(crate) fn write(&self, text: String) {
        let _ = self.input.send(text);
    }

    /// The next reply. After an error the process is useless.
    pub(crate) fn reply(&mut self, wait: Wait<'_>) -> Result<String, StopReason> {
        loop {
            let tick = Instant::now() + TICK;
            let until = wait.deadline.map_or(tick, |deadline| deadline.min(tick));
            match self.event(until) {
                Ok(Event::Reply(text)) => return Ok(text),
                Ok(Event::Flood) => {
                    return Err(StopReason::SolverFailed("endless output".to_owned()));
                }
                Ok(Event::Complaint(text)) => self.complain(&text),
                Ok(Event::ComplaintsEnded) => {}
                Ok(Event::OutputEnded) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.last_words());
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(reason) = wait.halt.reason() {
                        return Err(reason);
                    }
                    if wait.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                        return Err(StopReason::Timeout);
                    }
                }
            }
        }
    }

    fn event(&self, until: Instant) -> Result<Event, RecvTimeoutError> {
        self.events.recv_timeout(until.saturating_duration_since(Instant::now()))
    }

    fn complain(&mut self, text: &str) {
        let room = MAX_COMPLAINTS.saturating_sub(self.complaints.len());
        self.complaints.extend(text.chars().take(room));
    }

    /// How the child ended. It closes its pipes a moment before it can be waited for.
    fn status(&mut self, deadline: Instant) -> String {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                Ok(None) | Err(_) => return "it closed its output".to_owned(),
            }
        }
    }

    /// Why the solver ended.
    fn last_words(&mut self) -> StopReason {
        let deadline = Instant::now() + LAST_WORDS;
        loop {
            match self.event(deadline) {
                Ok(Event::Complaint(text)) => self.complain(&text),
                Ok(Event::ComplaintsEnded) | Err(_) => break,
                Ok(Event::Reply(_) | Event::OutputEnded | Event::Flood) => {}
            }
        }
        if self.complaints.contains("out of memory") {
            return StopReason::MemoryLimit;
        }
        let status = self.status(deadline);
        let complaints = self.complaints.trim();
        let separator = if complaints.is_empty() { "" } else { ": " };
        StopReason::SolverFailed(format!("it ended early ({status}){separator}{complaints}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only if the child was reaped before. Its group is that of its number.
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_texts(mut stdin: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_replies(mut stdout: impl Read, events: &SyncSender<Event>) {
    let mut splitter = Splitter::new();
    let mut buffer = vec![0; 1 << 16];
    while let Some(bytes) = read_some(&mut stdout, &mut buffer) {
        for &byte in bytes {
            if let Some(reply) = splitter.take(byte)
                && events.send(Event::Reply(reply)).is_err()
            {
                return;
            }
        }
        if splitter.pending() > MAX_REPLY {
            let _ = events.send(Event::Flood);
            return;
        }
    }
    if let Some(reply) = splitter.finish() {
        let _ = events.send(Event::Reply(reply));
    }
    let _ = events.send(Event::OutputEnded);
}

fn read_complaints(mut stderr: impl Read, events: &SyncSender<Event>) {
    let mut buffer = [0; 1 << 12];
    let mut passed_on = 0;
    // The thread drains the pipe to its end, so that the solver never waits for a reader of its
    // complaints.
    while let Some(bytes) = read_some(&mut stderr, &mut buffer) {
        if passed_on < MAX_COMPLAINTS {
            passed_on += bytes.len();
            let _ = events.send(Event::Complaint(String::from_utf8_lossy(bytes).into_owned()));
        }
    }
    let _ = events.send(Event::ComplaintsEnded);
}

/// The next bytes; `None` at the end of the stream.
fn read_some<'b>(stream: &mut impl Read, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    loop {
        match stream.read(buffer) {
            Ok(0) => return None,
            Ok(count) => return Some(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}
