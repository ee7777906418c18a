// Errors as sentences about a field: "Count must be at least 0." Pure functions.

import { PLAIN } from './units.js';

/** @typedef {any} Schema */

/** What is wrong with the text of a number field, '' if nothing. @param {string} label @param {string} text @param {Schema} schema @param {import('./units.js').Scale} scale */
export function checkNumber(label, text, schema, scale = PLAIN) {
  const number = scale.read(text);
  if (!Number.isFinite(number)) return scale.typed && /\d\s*[^\d\s.,]/.test(text) ? `${label} must be a number, with a unit such as ${scale.unit} or none.` : `${label} must be a number.`;
  if (schema.type === 'integer' && !Number.isInteger(number)) return `${label} must be a whole number.`;
  if (schema.minimum !== undefined && number < schema.minimum) return `${label} must be at least ${scale.format(schema.minimum)}.`;
  if (schema.maximum !== undefined && number > schema.maximum) return `${label} must be at most ${scale.format(schema.maximum)}.`;
  return '';
}

/** @param {string} text */
const sentence = (text) => (/[.?!]$/.test(text) ? text : `${text}.`);

const PATTERNS = /** @type {[RegExp, (label: string, match: RegExpExecArray) => string][]} */ ([
  [/^\S+ is below (\S+)$/, (label, [, low]) => `${label} must be at least ${low}`],
  [/^\S+ is above (\S+)$/, (label, [, high]) => `${label} must be at most ${high}`],
  [/^found .*, expected (.*)$/, (label, [, wanted]) => `${label} must be ${wanted}`],
  [/^"([^"]*)" is not (?:the name of )?one of the (\w+) \(known: (.*)\)$/, (label, [, found, kind, known]) => `${label}: there is no ${kind.replace(/ies$/, 'y').replace(/s$/, '')} "${found}". Choose ${known.replaceAll('", "', '" or "')}`],
  [/^"([^"]*)" is not a choice here \(known: (.*)\)$/, (label, [, , known]) => `${label} must be ${known.replaceAll('", "', '" or "')}`],
]);

// Messages of the program begin with the scene file and the JSON pointer of the value, "bob.json: /grooms/0/count: -5 is below 0".
/**
 * @param {string} message
 * @param {(path: string) => string} labelAt
 * @returns {{ path: string, text: string }} path of the value, '' if the message names none
 */
export function explainError(message, labelAt) {
  const [, path, fault] = /^(?:[^:]*: )?(\/[\w/-]+)(?:: | )(.*)$/s.exec(message) ?? [];
  if (!path) return { path: '', text: sentence(message) };
  const label = labelAt(path);
  for (const [pattern, say] of PATTERNS) {
    const match = pattern.exec(fault);
    if (match) return { path, text: sentence(say(label, match)) };
  }
  return { path, text: sentence(`${label}: ${fault}`) };
}
