// dom: elements in one line, and short messages in a corner.

// element('button', {type: 'button', onclick: f}, 'Save', ...)
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) {
      made.addEventListener(name.slice(2), value);
    } else if (name in made && name !== 'list' && name !== 'role') {
      made[name] = value;
      if (name === 'value' && tag === 'input') {
        made.defaultValue = value; // what it holds when nobody is writing in it
      }
    } else if (value !== undefined && value !== false) {
      made.setAttribute(name, value);
    }
  }
  made.append(...children);
  return made;
}

export const button = (text, title, onclick, more = {}) =>
  element('button', { type: 'button', title, onclick, ...more }, text);

// Whether keys are letters that somebody writes there; sliders and boxes take none.
export const isWriting = (target) => target.matches('textarea, select, input:not([type=range]):not([type=checkbox]):not([type=color])');

// Says what went wrong and what to do; gone after a while, or when pressed away.
export function toast(text, { bad = false, action, label } = {}) {
  // What is said again is said once.
  for (const old of document.querySelectorAll('.toast')) if (old.firstChild.textContent === text) old.remove();
  const box = element('div', { className: bad ? 'toast bad' : 'toast', role: bad ? 'alert' : 'status' }, text);
  const close = () => box.remove();
  if (action) {
    box.append(button(label, label, () => { close(); action(); }));
  }
  box.append(button('×', 'Dismiss', close));
  document.getElementById('toasts').append(box);
  setTimeout(close, bad ? 15000 : 5000);
  return box;
}

// Runs something that may be refused, and says why it was.
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    toast(error.message, { bad: true });
    return undefined;
  }
}

// Asks for a few values; null when it was called off. Fields: [{name, label, value, type, choices, check,
// changed}]; check(value) says what is wrong with it, '' for nothing; changed(value, inputs by name) is
// called when that one is chosen anew.
export function ask(title, fields, confirm = 'OK') {
  return new Promise((resolve) => {
    const inputs = fields.map((field) => (field.choices
      ? element('select', { name: field.name }, ...field.choices.map((c) => element('option', { value: c, selected: String(c) === String(field.value) }, String(c))))
      : element('input', { name: field.name, type: field.type ?? 'text', value: field.value ?? '', required: true, step: 'any' })));
    const byName = Object.fromEntries(inputs.map((input) => [input.name, input]));
    const check = () => fields.forEach((field, i) => field.check && inputs[i].setCustomValidity(field.check(inputs[i].value)));
    inputs.forEach((input) => input.addEventListener('input', check));
    fields.forEach((field, i) => field.changed && inputs[i].addEventListener('change', () => { field.changed(inputs[i].value, byName); check(); }));
    const dialog = element('dialog', { 'aria-label': title },
      element('form', { method: 'dialog' },
        element('h2', {}, title),
        ...fields.map((field, i) => element('div', { className: 'row wide' }, element('label', { htmlFor: inputs[i].id = `ask-${field.name}` }, field.label), inputs[i])),
        element('div', { className: 'buttons' },
          element('button', { value: 'yes', className: 'primary' }, confirm),
          element('button', { value: 'no', formNoValidate: true }, 'Cancel'))));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes' ? Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()])) : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

// Builds a part of the page anew and leaves the focus where it was: on the same control of the same row.
export function keepFocus(container, build) {
  const controls = (within) => [...within.querySelectorAll('input, select, button, summary, [tabindex]')];
  const active = document.activeElement;
  const held = container.contains(active) && active !== container;
  const place = held ? active.closest('[data-place]')?.dataset.place : undefined;
  const rowOf = () => (place === undefined ? container : [...container.querySelectorAll('[data-place]')].find((row) => row.dataset.place === place));
  const index = held ? controls(rowOf()).indexOf(active) : -1;
  build();
  if (held) {
    const row = rowOf();
    (row && controls(row)[index])?.focus({ preventScroll: true });
  }
}
