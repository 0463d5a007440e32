// Grid or list, as the visitor likes it; remembered. What was chosen before is set by early.js.
'use strict';

function startViews() {
  const buttons = [...document.querySelectorAll('[data-as]')];
  const show = () => {
    const isList = document.documentElement.classList.contains('as-list');
    for (const button of buttons) button.ariaPressed = (button.dataset.as === 'list') === isList;
  };
  for (const button of buttons) {
    button.addEventListener('click', () => {
      document.documentElement.classList.toggle('as-list', button.dataset.as === 'list');
      memory.set('view', button.dataset.as);
      show();
    });
  }
  show();
}
