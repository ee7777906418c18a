// The sign of loading in index.html, shown before the script has run.

export function endLoading() {
  document.getElementById('loading')?.remove();
  document.body.removeAttribute('aria-busy');
}
