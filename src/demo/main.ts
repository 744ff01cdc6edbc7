import { DEMO_USAGE, demoArguments } from './demo-arguments.js';

async function main(): Promise<void> {
  const { asks, json, help, console: withConsole } = demoArguments(process.argv.slice(2));
  if (help) {
    console.log(DEMO_USAGE);
    return;
  }
  // Imported late, so that `--help` does not load the whole application.
  if (withConsole) {
    const { runConsoleDemo } = await import('./run-console-demo.js');
    return runConsoleDemo(asks);
  }
  const { runDemo } = await import('./run-demo.js');
  await runDemo(asks, json);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
