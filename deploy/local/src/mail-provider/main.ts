import { readProviderConfig } from './config.js';
import { startMailProvider } from './index.js';

try {
  const provider = await startMailProvider(readProviderConfig());
  process.stdout.write(`mail provider listening on ${provider.url}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void provider.stop().then(() => process.exit(0)));
} catch (error) {
  process.stderr.write(`mail provider: ${error instanceof Error ? error.message : String(error)} (PORT chooses another port)\n`);
  process.exitCode = 1;
}
