/**
 * What a person does in a browser at an `oidc-provider` with its development pages: signs in and consents.
 *
 * @param login the name of the account; every one exists
 * @returns the address to which the browser is sent in the end, not visited yet
 * @throws Error if a page does not lead on
 */
export async function signIn(authorizationUrl: URL, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  const visit = async (url: string, form?: Readonly<Record<string, string>>) => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';', 1)[0]?.split('=') ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const next = response.headers.get('location');
    if (next === null) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
    return new URL(next, authorizationUrl).href;
  };
  let url = await visit(authorizationUrl.href);
  const forms: Record<string, string>[] = [{ prompt: 'login', login, password: 'x' }, { prompt: 'consent' }];
  for (const form of forms) {
    url = await visit(url, form);
    url = await visit(url);
  }
  return new URL(url);
}
