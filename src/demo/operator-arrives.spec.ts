import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operatorArrives } from './operator-arrives.js';

it('waits for the first answer of a route for operators that is no refusal', async () => {
  const server = createServer(({ headers }, response) => {
    response.writeHead(headers.authorization === undefined ? 401 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    let hasArrived = false;
    const arrived = operatorArrives(server).then(() => (hasArrived = true));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const headers = { authorization: 'Bearer x' };
    await fetch(`${url}/admin/tools/status`);
    await fetch(`${url}/toolbox`, { headers });
    await fetch(`${url}/console/admin/tools/`, { headers });
    expect(hasArrived).toBe(false);
    await fetch(`${url}/admin/tools/status`, { headers });
    await arrived;
    expect(server.listenerCount('request')).toBe(1);
  } finally {
    server.close().closeAllConnections();
  }
});
