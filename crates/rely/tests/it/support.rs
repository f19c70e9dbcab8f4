//! A folder with files, and the binary run in it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Every obligation of it holds.
pub(crate) const HOLDS: &str = "\
var stock: int = 3;
invariant stock >= 0;
thread Sale { atomic { if (stock > 0) { stock := stock - 1; } } }
";

/// The assertion can fail.
pub(crate) const FAILS: &str = "\
var stock: int = 3;
thread Count { var seen: int := stock; assert stock == seen; }
thread Sale { stock := stock - 1; }
";

/// It is no program.
pub(crate) const REJECTED: &str = "thread Sale { stock := stok - 1; }\n";

/// It is a program without anything to verify.
pub(crate) const NOTHING: &str = "var stock: int = 3;\n";

/// It has no verdict.
pub(crate) const UNKNOWN: &str = "never deadlock;\nthread Sale[*] { skip; }\n";

/// It has a loop, and holds.
pub(crate) const LOOP: &str = "\
thread Drain {
  var left: int := 10;
  while (left > 0) invariant left >= 0 { left := left - 1; }
  assert left == 0;
}
";

/// A folder of its own for a test.
pub(crate) struct Folder {
    path: PathBuf,
}

/// What a run of the binary did.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    /// An empty folder of this name, with these files in it.
    pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder for the test");
        let folder = Self { path };
        files.iter().for_each(|(name, text)| folder.write(name, text.as_bytes()));
        folder
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for the file");
        std::fs::write(path, bytes).expect("a file for the test");
    }

    #[expect(clippy::disallowed_methods, reason = "a test looks at what the binary wrote")]
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path.join(name)).expect("a text")
    }

    /// Runs `rely` with these words.
    pub(crate) fn rely(&self, words: &[&str]) -> Outcome {
        self.run(words, "", &[])
    }

    /// A call of `rely` with these words.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rely"));
        command.args(words).current_dir(&self.path);
        command
    }

    /// Runs `rely` with a text on standard input and variables in the environment.
    pub(crate) fn run(&self, words: &[&str], input: &str, variables: &[(&str, &str)]) -> Outcome {
        let mut command = self.command(words);
        command.envs(variables.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        // A run that does not read its input closes the pipe, which is no error.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        let output = child.wait_with_output().expect("the binary ends");
        Outcome {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("results are UTF-8"),
            err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}

impl Outcome {
    /// The exit code is this one.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        self
    }

    /// Standard output contains this text.
    #[track_caller]
    pub(crate) fn prints(self, text: &str) -> Self {
        assert!(self.out.contains(text), "no `{text}` in:\n{}", self.out);
        self
    }

    /// Standard output does not contain this text.
    #[track_caller]
    pub(crate) fn prints_no(self, text: &str) -> Self {
        assert!(!self.out.contains(text), "`{text}` in:\n{}", self.out);
        self
    }

    /// Standard error contains this text.
    #[track_caller]
    pub(crate) fn complains(self, text: &str) -> Self {
        assert!(self.err.contains(text), "no `{text}` in:\n{}", self.err);
        self
    }

    /// Standard error is empty.
    #[track_caller]
    pub(crate) fn quietly(self) -> Self {
        assert_eq!(self.err, "");
        self
    }
}
