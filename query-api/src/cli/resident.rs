//! `ripple resident`: the reader that a command leaves behind, and how it is left. People do not call it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::units::parse_duration;
use crate::Error;

/// Answer commands about this index until nobody has asked for a while
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The index folder
    #[arg(long, value_name = "DIR")]
    index: PathBuf,
    /// How long nobody has to ask
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    stays: Duration,
}

/// Whether a command leaves a reader behind.
#[derive(Debug, Clone, clap::Args)]
pub struct Resident {
    /// How long after the last question a reader stays behind that answers the next command at once; 0 leaves none
    #[arg(long = "resident", value_name = "TIME", env = "RIPPLE_RESIDENT", default_value = "5m", value_parser = time)]
    pub(super) stays: Duration,
}

fn time(text: &str) -> Result<Duration, String> {
    match text {
        "0" => Ok(Duration::ZERO),
        _ => parse_duration(text),
    }
}

impl Arguments {
    #[cfg(unix)]
    pub(super) fn run(self) -> Result<(), Error> {
        crate::serve::resident::run(&self.index, self.stays)
    }

    #[cfg(not(unix))]
    pub(super) fn run(self) -> Result<(), Error> {
        Ok(())
    }
}

/// Leaves a reader behind that nobody waits for. Where it would be of no use, or cannot be started, there is none.
#[cfg(unix)]
pub(super) fn leave(index: &Path, stays: Duration) {
    use std::os::unix::net::SocketAddr;
    use std::process::{Command, Stdio};

    let (Ok(index), Ok(program)) = (index.canonicalize(), std::env::current_exe()) else {
        return;
    };
    let can_listen = SocketAddr::from_pathname(index.join(crate::socket::NAME)).is_ok()
        && rustix::fs::access(&index, rustix::fs::Access::WRITE_OK).is_ok();
    if stays.is_zero() || !can_listen {
        return;
    }
    let mut command = Command::new(program);
    command
        .args(["resident", "--stays", &format!("{}ms", stays.as_millis()), "--index"])
        .arg(index)
        .current_dir("/");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // It is not waited for: this process ends, and the system takes its child over.
    drop(command.spawn());
}

/// There is none here.
#[cfg(not(unix))]
pub(super) fn leave(_: &Path, _: Duration) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_is_a_time_too() {
        assert_eq!(time("0"), Ok(Duration::ZERO));
        assert_eq!(time("5m"), Ok(Duration::from_secs(300)));
        assert!(time("-1s").is_err());
    }
}
