"""Where time passes: ports, runner, timers, recovery, service, accounts, wallets, signing."""
