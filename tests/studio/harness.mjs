// harness: a studio on a copy of a scene, a browser, and statements about them.

import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [program, scenes, browserPath] = process.argv.slice(2);
export const folder = mkdtempSync(join(tmpdir(), 'coif_studio_test_'));
cpSync(scenes, folder, { recursive: true });

let failures = 0;
let checks = 0;
export function check(condition, what) {
  checks += 1;
  if (!condition) {
    failures += 1;
    console.log(`  is not so: ${what}`);
  }
}

// Runs the program to its end: {code, out, err}.
export function run(...words) {
  return new Promise((resolve) => {
    const child = spawn(program, words);
    let [out, err] = ['', ''];
    child.stdout.on('data', (data) => { out += data; });
    child.stderr.on('data', (data) => { err += data; });
    child.on('exit', (code) => resolve({ code, out, err }));
  });
}

let said = () => ''; // what the last studio wrote
const children = new Set(); // studios that run: a test that fails leaves its own behind

// A studio; address, token and kill come with it.
export async function openStudio(scene, ...words) {
  const child = spawn(program, ['studio', join(folder, scene), '--no-open', ...words]);
  let out = '';
  let err = '';
  child.stderr.on('data', (data) => { err += data; });
  said = () => err.slice(-4000);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  children.add(child);
  ended.then(() => children.delete(child));
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      out += data;
      if (out.includes('\n')) resolve();
    });
    child.on('exit', () => reject(new Error(`the studio ended: ${err}`)));
  });
  const url = new URL(out.trim());
  return {
    url: url.href, port: Number(url.port), token: url.searchParams.get('token'), ended,
    log: () => err,
    kill: async (signal) => { child.kill(signal); await ended; },
    ask: (path, options = {}) => fetch(new URL(path, url.origin), {
      ...options, headers: { 'X-Coif-Token': url.searchParams.get('token'), ...options.headers },
    }),
  };
}

let browser = null;
export async function openPage(studio) {
  browser ??= await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
      '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
  });
  const page = await browser.newPage({ viewport: { width: 900, height: 560 } });
  page.setDefaultTimeout(120000);
  page.on('pageerror', (error) => check(false, `the page has no errors: ${error.message}`));
  await page.goto(studio.url);
  await page.waitForSelector('body[data-ready=true]');
  return page;
}

// The end of everything that was opened.
export async function closeAll() {
  await browser?.close();
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

export async function runTests(tests) {
  const wanted = process.argv.slice(5);
  let failed = 0;
  for (const test of tests) {
    if (wanted.length && !wanted.includes(test.name)) continue;
    const before = failures;
    try {
      await test();
    } catch (error) {
      failures += 1;
      console.log(`  ${error.stack}`);
    }
    failed += failures > before;
    console.log(`${failures > before ? 'FAILED' : 'ok    '} ${test.name}`);
    if (failures > before) console.log(said());
  }
  await closeAll();
  console.log(`${tests.length - failed} passed, ${failed} failed, ${checks} checks`);
  process.exit(failed ? 1 : 0);
}
