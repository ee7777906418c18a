// ESLint rules of the studio's web page: likely errors, and a few that keep the modules uniform.

import js from '@eslint/js';
import globals from 'globals';

export default [
  js.configs.recommended,
  {
    files: ['src/**/*.js'],
    languageOptions: { ecmaVersion: 2023, sourceType: 'module', globals: globals.browser },
    rules: {
      eqeqeq: 'error', 'no-var': 'error', 'prefer-const': ['error', { destructuring: 'all' }], 'no-shadow': 'error', 'object-shorthand': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }], 'no-implicit-globals': 'error', 'no-throw-literal': 'error', 'no-self-compare': 'error',
    },
  },
  { files: ['test/**/*.mjs'], languageOptions: { ecmaVersion: 2023, sourceType: 'module', globals: globals.node } },
];
