use std::io;

/// Ready when Ctrl-C or SIGTERM asks the program to end.
pub async fn signal() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut end = signal(SignalKind::terminate())?;
        tokio::select! { it = tokio::signal::ctrl_c() => it, _ = end.recv() => Ok(()) }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
