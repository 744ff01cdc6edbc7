import 'reflect-metadata';
import { createApplication } from './application.js';

// Prints its address on standard output and runs until SIGTERM.
async function serve([database, url]: readonly string[]): Promise<void> {
  const app = await createApplication('express', database ? { database } : { url });
  app.enableShutdownHooks();
  await app.listen(0, '127.0.0.1');
  console.log(await app.getUrl());
}

void serve(process.argv.slice(2));
