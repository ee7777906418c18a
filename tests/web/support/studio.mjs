// The fixture `lab`: a temporary copy of the scenes, studios started on them, and pages. Everything is closed after the
// test, and errors on a page fail it.

import { chromium, expect, test as base } from '@playwright/test';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import config from '../playwright.config.mjs';

const program = process.env.COIF_PROGRAM;

export class Lab {
  constructor(browser) {
    this.browser = browser;
    this.folder = mkdtempSync(join(tmpdir(), 'coif_web_test_'));
    this.processes = new Set();
    this.contexts = [];
    this.pageErrors = [];
    this.logs = [];
    cpSync(process.env.COIF_SCENES, this.folder, { recursive: true });
  }

  // Runs a coif command: {code, out, err}.
  run(...args) {
    return new Promise((resolve) => {
      const child = spawn(program, args);
      let [out, err] = ['', ''];
      child.stdout.on('data', (data) => { out += data; });
      child.stderr.on('data', (data) => { err += data; });
      child.on('close', (code) => resolve({ code, out, err }));
    });
  }

  // Writes a small scene: one groom of 4000 strands on a ball.
  scene(name, change = (scene) => scene) {
    const scene = JSON.parse(readFileSync(join(this.folder, 'tiny.json'), 'utf8'));
    delete scene.bodies[0].rotate;
    scene.grooms[0] = { ...scene.grooms[0], count: 4000, simulated_fraction: 1 };
    writeFileSync(join(this.folder, name), `${JSON.stringify(change(scene), null, 2)}\n`);
    return name;
  }

  // Starts `coif studio` and waits until it prints its URL.
  openStudio(scene, ...args) {
    return this.startStudio(scene, [join(this.folder, scene), ...args]);
  }

  // The same with any arguments, in the folder of the lab.
  async startStudio(scene, args = []) {
    const child = spawn(program, ['studio', '--no-open', ...args], { cwd: this.folder, env: { ...process.env, XDG_STATE_HOME: join(this.folder, 'state') } });
    let [out, err] = ['', ''];
    child.stderr.on('data', (data) => { err += data; });
    this.logs.push(() => `${scene}:\n${err.slice(-4000)}`);
    const ended = new Promise((resolve) => { child.on('exit', resolve); });
    this.processes.add(child);
    ended.then(() => this.processes.delete(child));
    await new Promise((resolve, reject) => {
      child.stdout.on('data', (data) => {
        out += data;
        if (out.includes('\n')) resolve();
      });
      child.on('exit', () => reject(new Error(`the studio exited: ${err}`)));
      child.on('error', reject);
    });
    const url = new URL(out.trim());
    const token = url.searchParams.get('token');
    return {
      url: url.href, port: Number(url.port), token, ended, log: () => err,
      kill: async (signal) => { child.kill(signal); await ended; },
      request: (path, options = {}) => fetch(new URL(path, url.origin), { ...options, headers: { 'X-Coif-Token': token, ...options.headers } }),
    };
  }

  async openPage(studio, ready = 'true') {
    const context = await this.browser.newContext({ viewport: { width: 900, height: 560 } });
    this.contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(120000);
    page.on('pageerror', (error) => this.pageErrors.push(error.message));
    await page.goto(studio.url);
    await page.waitForSelector(`body[data-ready=${ready}]`);
    return page;
  }

  async close() {
    for (const context of this.contexts) await context.close();
    await Promise.all([...this.processes].map((child) => new Promise((resolve) => {
      child.on('exit', resolve);
      child.kill('SIGKILL');
    })));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

// For scripts outside the test runner.
export async function openLab() {
  const browser = await chromium.launch(config.use.launchOptions);
  const lab = new Lab(browser);
  return { lab, close: async () => { await lab.close(); await browser.close(); } };
}

export const test = base.extend({
  lab: async ({ browser }, use, testInfo) => {
    const lab = new Lab(browser);
    await use(lab);
    await lab.close();
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('studio log', { body: lab.logs.map((log) => log()).join('\n') });
    }
    expect(lab.pageErrors, 'errors on the page').toEqual([]);
  },
});

export { expect };
