// Browser tests of the studio. tests/web/run.sh sets the environment variables.

import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.mjs',
  workers: 1,
  // Bounds a hang only; no test depends on the speed of the machine.
  timeout: 300000,
  expect: { timeout: 120000 },
  forbidOnly: true,
  // A failed test is repeated once and reported as "flaky" when it passes then: a browser on a loaded machine.
  retries: 1,
  reporter: [['list']],
  outputDir: process.env.COIF_TEST_OUTPUT,
  use: {
    viewport: { width: 900, height: 560 },
    actionTimeout: 120000,
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    launchOptions: {
      executablePath: process.env.COIF_CHROMIUM,
      args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
        '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
    },
  },
});
