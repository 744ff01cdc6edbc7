import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** Stands for your authorization server: it publishes its key, and signs tokens for whoever asks this process. */
export async function startAuthorizationServer() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const http = createServer(async (request, response) => {
    const answers: Record<string, object> = {
      '/.well-known/oauth-authorization-server': { issuer, jwks_uri: `${issuer}/jwks` },
      '/jwks': { keys: [{ ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'ES256' }] },
    };
    const answer = answers[request.url ?? ''];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const issuer = `http://localhost:${(http.address() as AddressInfo).port}`;
  return {
    issuer,
    /** @param resource whom the token is for. @param claims of the user */
    issue: (resource: string, scope: string, claims: Record<string, unknown>) =>
      new SignJWT({ ...claims, scope, client_id: 'a-client', jti: 'a-token' })
        .setProtectedHeader({ alg: 'ES256', kid: 'key-1', typ: 'at+jwt' })
        .setIssuer(issuer)
        .setAudience(resource)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey),
    stop: () => (http.closeAllConnections(), http.close()),
  };
}
