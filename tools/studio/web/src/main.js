// Entry point: the studio on the open scene, or the start page.

import { getJson } from './net/api.js';

async function start() {
  const project = await getJson('/api/project');
  if (project.open) {
    await import('./app.js');
  } else {
    const { showStartPage } = await import('./project/start_page.js');
    await showStartPage(project);
  }
}

start();
