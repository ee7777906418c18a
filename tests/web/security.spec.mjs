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
  expect.soft(await rawRequest(port, '/api/state', { Host: host, 'X-Coif-Token': token }), 'a valid token is accepted').toBe(200);
  expect.soft(await rawRequest(port, '/api/state', { Host: host }), 'no token').toBe(401);
  expect.soft(await rawRequest(port, '/', { Host: host }), 'the page without a token').toBe(401);
  expect.soft(await rawRequest(port, '/api/state', { Host: host, 'X-Coif-Token': `${token.slice(1)}0` }), 'a wrong token').toBe(401);
  expect.soft(await rawRequest(port, '/api/state', { Host: `evil.example:${port}`, 'X-Coif-Token': token }), 'a foreign Host').toBe(403);
  expect.soft(await rawRequest(port, '/api/state', { Host: host, Origin: 'http://evil.example', 'X-Coif-Token': token }), 'a foreign Origin').toBe(403);
  expect.soft(await rawRequest(port, '/../../etc/passwd', { Host: host, 'X-Coif-Token': token }), 'a path that leaves the folder').toBe(404);
  expect.soft(await rawRequest(port, '/%2e%2e/%2e%2e/etc/passwd', { Host: host, 'X-Coif-Token': token }), 'an encoded path that leaves the folder').toBe(404);
  expect.soft(await rawRequest(port, '/api/tiles?layer=0', { Host: host, 'X-Coif-Token': token, 'Content-Length': String(2 ** 31) }, ''), 'a body that is too large').toBe(413);
  const kept = await studio.request('/api/image?name=../../escape.png', { method: 'POST' });
  expect.soft(kept.status, 'an image path outside the folder').toBe(422);
  expect.soft(existsSync(join(lab.folder, '..', '..', 'escape.png')), 'an image path outside the folder').toBe(false);
  const layer = await studio.request('/api/layers?groom=0&name=..%2Fx&side=256', { method: 'POST' });
  expect.soft(layer.status, 'a map path outside the folder').toBe(422);
  expect.soft((await layer.json()).error, 'a map path outside the folder').toContain('name');
  const page = await studio.request('/');
  expect.soft(page.headers.get('content-security-policy'), 'content security policy').toContain("default-src 'none'");
  const second = await lab.run('studio', join(lab.folder, 'guard.json'), '--no-open');
  expect.soft(second.code, 'a second studio on the same scene').toBe(1);
  expect.soft(second.err, 'a second studio on the same scene').toContain('open on this scene already');
});
