import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NestFactory } from '@nestjs/core';

/** What every `main.ts` exports. */
interface Example {
  /** Plays the example, and says what happens, line by line. */
  readonly main: (say?: (line: string) => void) => Promise<void>;
  /** The application, where it needs nothing that `main` starts. */
  readonly AppModule?: new () => object;
}

const USAGE = 'usage: NAME [NAME …] plays examples; NAME --serve serves one on PORT (3000)';

async function run(given: readonly string[]): Promise<void> {
  const names = given.filter((each) => !each.startsWith('--'));
  if (names.length === 0) throw new Error(USAGE);
  for (const name of names) {
    if (!existsSync(join(dirname(process.argv[1] ?? ''), name, 'main.js'))) {
      throw new Error(`There is no example ${name} to play. examples/README.md lists them.`);
    }
    const { main, AppModule } = (await import(`./${name}/main.js`)) as Example;
    if (given.includes('--serve')) return serve(name, AppModule);
    if (names.length > 1) console.log(`${name}:`);
    await main();
  }
}

async function serve(name: string, AppModule: Example['AppModule']): Promise<void> {
  if (!AppModule) throw new Error(`${name} cannot be served: it starts other servers too. Play it without --serve.`);
  // `rawBody` is for the example that checks a signature of the body.
  const app = await NestFactory.create(AppModule, { rawBody: true });
  app.enableShutdownHooks();
  await app.listen(process.env.PORT ?? 3000, '127.0.0.1');
  console.log(`${name} listens on ${await app.getUrl()}`);
}

run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
