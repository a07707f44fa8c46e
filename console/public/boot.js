// Runs before the first paint, so that the page never flashes in the wrong scheme or language.
// A file of its own because the page's policy forbids inline scripts.
(() => {
  const root = document.documentElement;
  let scheme = 'auto';
  let locale = '';
  try {
    scheme = localStorage.getItem('belfry.scheme') || 'auto';
    locale = localStorage.getItem('belfry.locale') || '';
  } catch {
    // Storage may be forbidden; the defaults hold.
  }
  if (scheme !== 'light' && scheme !== 'dark') {
    scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }
  root.setAttribute('data-mantine-color-scheme', scheme);
  root.lang = locale || (navigator.language.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en');
})();
