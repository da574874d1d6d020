import { build } from './build.mjs';
import { BootstrapError } from './bootstrap-error.mjs';
import { checkJava, needsJava } from './check-java.mjs';
import { installDependencies } from './install.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { sayProgress } from './progress.mjs';
import { runToTheEnd } from './run-to-the-end.mjs';

/** What each command runs, once everything is installed and built. */
const commands = {
  start: (args) => ['deploy/local/dist/start.js', ...args],
  demo: (args) => ['deploy/local/dist/demo.js', ...args],
  test: (args) => ['node_modules/vitest/vitest.mjs', 'run', ...args],
  dlq: (args) => ['deploy/local/dist/operate.js', 'dlq', ...args],
  groups: (args) => ['deploy/local/dist/operate.js', 'groups', ...args],
  relay: (args) => ['deploy/local/dist/operate-relay.js', ...args],
  token: (args) => ['libs/http/dist/token.js', ...args],
  'drill-consumer': (args) => ['tests/dist/drills/consumer/main.js', ...args],
  'drill-relay': (args) => ['tests/dist/drills/relay/main.js', ...args],
  'drill-deliveries': (args) => ['tests/dist/drills/deliveries/main.js', ...args],
  'bench-consumer': (args) => ['tests/dist/benchmarks/consumer/main.js', ...args],
  'bench-retention': (args) => ['tests/dist/benchmarks/relay-retention/main.js', ...args],
  'bench-relay': (args) => ['tests/dist/benchmarks/relay/main.js', ...args],
  'bench-deliveries': (args) => ['tests/dist/benchmarks/deliveries/main.js', ...args],
};

/** Installs and builds what is not up to date, then runs the command on the project's own Node. Sets the exit code. */
export async function main([name, ...args]) {
  try {
    const command = commands[name];
    if (!command) throw new BootstrapError(`unknown command ${name}: one of ${Object.keys(commands).join(', ')}`);
    if (needsJava(name, args)) checkJava();
    await oneAtATime(async () => {
      await installDependencies(sayProgress);
      await build(sayProgress);
    });
    process.exitCode = await runToTheEnd(command(args));
  } catch (error) {
    if (!(error instanceof BootstrapError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
