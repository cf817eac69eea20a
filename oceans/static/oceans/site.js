/* Optional extras. Every page works without this file. */
(() => {
  // keep the current log entry in view without moving the page
  const settle = () => {
    for (const log of document.querySelectorAll('.log')) {
      const now = log.querySelector('[aria-current]');
      log.scrollTop = now ? now.closest('li').offsetTop - log.clientHeight / 2 : log.scrollHeight;
    }
  };
  settle();

  // colours change at once; the form of the footer keeps them
  document.addEventListener('change', e => {
    const { name, value } = e.target;
    if (name === 'theme' || name === 'suits') document.documentElement.dataset[name] = value;
  });

  // a table that waits for others looks again now and then, while somebody can see it
  const poll = () => {
    if (document.hidden) return;
    for (const part of document.querySelectorAll('[data-poll]')) part.dispatchEvent(new Event('look'));
  };
  setInterval(poll, 30000);
  document.addEventListener('visibilitychange', poll);

  // after a move: the keyboard and the screen reader go on at what happened
  let moved = false;
  document.addEventListener('htmx:beforeRequest', e => { moved = e.detail.requestConfig.verb !== 'get' });
  document.addEventListener('htmx:afterSettle', () => {
    settle();
    if (moved) document.querySelector('#news, .verdict')?.focus({ preventScroll: true });
    moved = false;
  });

  // arrow keys step a replay; single letters only for players who switched them on (data-keys on <body>)
  addEventListener('keydown', e => {
    if (e.altKey || e.ctrlKey || e.metaKey || e.target.closest?.('input, textarea, select, .log')) return;
    const step = { ArrowLeft: 'prev', ArrowRight: 'next', Home: 'first', End: 'last' }[e.key];
    const key = step || (document.body.dataset.keys === 'on' && e.key);
    const hit = key && document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!hit) return;
    e.preventDefault();
    if (hit.dataset.keyDo === 'focus') hit.focus(); else hit.click();
  });
})();
