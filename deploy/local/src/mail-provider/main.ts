import { readProviderConfig } from './config.js';
import { startMailProvider } from './index.js';

try {
  const { mailboxFile: file, ...address } = readProviderConfig();
  const provider = await startMailProvider({ ...address, file });
  process.stdout.write(`mail provider listening on ${provider.url}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void provider.stop().then(() => process.exit(0)));
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  process.stderr.write(`mail provider: ${message}${code === 'EADDRINUSE' ? '; PORT chooses another port' : ''}\n`);
  process.exitCode = 1;
}
