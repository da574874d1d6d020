// `npm run relay -- status`, …: what a person asks of the relay and of the outboxes that it publishes.
import { runCommandLine } from '@shopflow/command-line';
import { runRelayCommand } from './commands/relay-command.js';

await runCommandLine('relay', runRelayCommand);
