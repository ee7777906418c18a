// Access control of the server.

import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from './support/studio.mjs';

function rawRequest(port, path, headers, body) {
  return new Promise((resolve) => {
    const made = request({ host: '127.0.0.1', port, path, method: body === undefined ? 'GET' : 'PUT', headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    });
    made.on('error', () => resolve(0));
    made.end(body);
  });
}

test('requests without a valid token, host, origin or path are rejected', async ({ lab }) => {
  const studio = await lab.openStudio(lab.scene('guard.json'));
  const { port, token } = studio;
  const host = `127.0.0.1:${port}`;
  expect.soft(await rawRequest(port, '/api/state', { Host: host, 'X-Coif-Token': token }) === 200, 'who has the token may ask').toBeTruthy();
  expect.soft(await rawRequest(port, '/api/state', { Host: host }) === 401, 'nobody without the token').toBeTruthy();
  expect.soft(await rawRequest(port, '/', { Host: host }) === 401, 'not even the page').toBeTruthy();
  expect.soft(await rawRequest(port, '/api/state', { Host: host, 'X-Coif-Token': `${token.slice(1)}0` }) === 401, 'nor with a wrong one').toBeTruthy();
  expect.soft(await rawRequest(port, '/api/state', { Host: `evil.example:${port}`, 'X-Coif-Token': token }) === 403, 'a foreign Host').toBeTruthy();
  expect.soft(await rawRequest(port, '/api/state', { Host: host, Origin: 'http://evil.example', 'X-Coif-Token': token }) === 403, 'a foreign Origin').toBeTruthy();
  expect.soft(await rawRequest(port, '/../../etc/passwd', { Host: host, 'X-Coif-Token': token }) === 404, 'a path upwards').toBeTruthy();
  expect.soft(await rawRequest(port, '/%2e%2e/%2e%2e/etc/passwd', { Host: host, 'X-Coif-Token': token }) === 404, 'an encoded path upwards').toBeTruthy();
  expect.soft(await rawRequest(port, '/api/tiles?layer=0', { Host: host, 'X-Coif-Token': token, 'Content-Length': String(2 ** 31) }, '') === 413, 'a body that is too large').toBeTruthy();
  const kept = await studio.request('/api/image?name=../../escape.png', { method: 'POST' });
  expect.soft(kept.status === 422 && !existsSync(join(lab.folder, '..', '..', 'escape.png')), 'a picture outside the lab.folder').toBeTruthy();
  const layer = await studio.request('/api/layers?groom=0&name=..%2Fx&side=256', { method: 'POST' });
  expect.soft(layer.status === 422 && (await layer.json()).error.includes('name'), 'a layer outside the lab.folder').toBeTruthy();
  const page = await studio.request('/');
  expect.soft(page.headers.get('content-security-policy').includes("default-src 'none'"), 'a strict policy').toBeTruthy();
  const second = await lab.run('studio', join(lab.folder, 'guard.json'), '--no-open');
  expect.soft(second.code === 1 && second.err.includes('open on this scene already'), `a second studio: ${second.err}`).toBeTruthy();
});
