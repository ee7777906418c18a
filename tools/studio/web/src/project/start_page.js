// The start page: recent scenes, new scenes from a mesh or a template, other scenes by path.

import './start_page.css';
import { getBytes, subscribe } from '../net/api.js';
import { button, element, toast } from '../ui/dom.js';
import { endLoading } from '../ui/loading.js';
import { browse, pathField } from './file_browser.js';
import { meshDrop, setupMesh } from './mesh_setup.js';
import { newSceneDialog, openScene } from './new_scene.js';

const SCENE_EXTENSIONS = ['json'];

/** @param {string} path */
const splitPath = (path) => ({ name: path.slice(path.lastIndexOf('/') + 1), folder: path.slice(0, path.lastIndexOf('/')) || '/' });

/** @param {string[]} recent */
function recentList(recent) {
  const list = element('ul', { className: 'recent', 'aria-label': 'Recent scenes' }, ...recent.map((path) => {
    const { name, folder } = splitPath(path);
    const made = button('', path, () => openScene(path));
    made.append(element('strong', {}, name), element('span', { className: 'note' }, folder));
    return element('li', {}, made);
  }));
  return recent.length ? list : element('p', { className: 'note' }, 'Scenes that you open appear here.');
}

/** @param {string} folder */
function openField(folder) {
  const field = pathField('Path of a scene', '', () => browse({ title: 'Open a scene', folder, extensions: SCENE_EXTENSIONS }));
  const open = () => { if (field.input.value.trim()) openScene(field.input.value.trim()); };
  field.input.addEventListener('change', open);
  field.input.placeholder = 'path/to/scene.json';
  return field.element;
}

/** Fetches the picture when the card becomes visible. @param {HTMLElement} card @param {any} template */
function loadPicture(card, template) {
  const picture = element('img', { alt: '' });
  card.prepend(picture);
  const observer = new IntersectionObserver(async (entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    const bytes = await getBytes('/api/project/picture', { kind: template.kind, name: template.name });
    picture.src = URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' }));
  });
  observer.observe(card);
}

/** @param {any} template @param {any} project */
function templateCard(template, project) {
  const title = template.name.replaceAll('_', ' ');
  const card = button('', template.help, () => newSceneDialog(`New scene: ${title}`, project.name ?? template.name, project.folder, { kind: template.kind, template: template.name }), { className: 'card' });
  card.dataset.template = `${template.kind}/${template.name}`;
  card.append(element('strong', {}, title), element('span', { className: 'note' }, template.help));
  if (template.picture) loadPicture(card, template);
  return card;
}

/** @param {string} title @param {any[]} templates @param {any} project */
function templateGrid(title, templates, project) {
  const pictured = [...templates.filter((each) => each.picture), ...templates.filter((each) => !each.picture)];
  return element('section', { 'aria-label': title }, element('h2', {}, title), element('div', { className: 'cards' }, ...pictured.map((each) => templateCard(each, project))));
}

/** @param {any} project reply of /api/project */
export async function showStartPage(project) {
  document.title = 'coif studio';
  document.body.classList.add('start');
  const ofKind = (/** @type {string} */ kind) => project.templates.filter((/** @type {any} */ each) => each.kind === kind);
  const page = element('main', { id: 'start' });
  page.append(
    element('aside', {},
      element('h1', {}, 'coif studio'),
      meshDrop(project, page),
      element('div', { className: 'buttons' }, button('Empty scene…', 'A scene without bodies', () => newSceneDialog('New scene: empty', project.name ?? 'scene', project.folder, {}))),
      element('h2', {}, 'Open a scene'), openField(project.folder),
      element('h2', {}, 'Recent scenes'), recentList(project.recent)),
    element('div', { className: 'templates' },
      templateGrid('Hairstyles', ofKind('preset'), project),
      templateGrid('Scenes', ofKind('scene'), project)));
  endLoading();
  document.body.append(page);
  if (project.problem) toast(project.problem, { bad: true, stays: true });
  subscribe({ project: () => location.reload() }, () => {}, () => {});
  if (project.mesh) await setupMesh(project.mesh, project, page);
  document.body.dataset.ready = 'start';
}
