import { signIn } from './sign-in.js';

/** `browser.js LOGIN URL`: opens the page of an authorization server as a person who signs in and consents. */
async function main([login = '', url = '']: readonly string[]): Promise<void> {
  const back = await signIn(new URL(url), login);
  const { status } = await fetch(back);
  if (status >= 400) throw new Error(`${back.origin}${back.pathname} answered ${status}`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
