"""Menus and folded parts of a page: opened one by one, and measured."""

from __future__ import annotations

from playwright.sync_api import Page

# Choices of lists that their closed lists cut: the chosen text, and others up to a colon.
_CUT = r"""(lists) => {
  const ARROW = 19; // pixels, which a list has beside its longest choice
  const canvas = document.createElement("canvas").getContext("2d");
  return [...lists].filter((list) => !list.multiple && list.checkVisibility()).flatMap((list) => {
    const style = getComputedStyle(list);
    canvas.font = style.font;
    const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
    const room = list.clientWidth - padding - ARROW;
    const shown = ({ text, selected }) => (selected ? text : text.split(/\s?: /)[0]);
    const cut = [...list.options].filter((one) => canvas.measureText(shown(one)).width > room);
    return cut.map((one) => `${list.name} cuts “${shown(one)}”`);
  });
}"""

# Opens each `details` and each popover alone, within those around it. Its content must fit into
# the window and into its boxes, and is not squeezed: where it is narrower than its longest line,
# it has at least half of the width around it.
_FAULTS = """async () => {
  const cutChoices = CUT;
  const { clientWidth } = document.documentElement;
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true });
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const scrolls = (one) => getComputedStyle(one).overflowX !== "visible";
  const nameOf = (one) => `${one.localName}.${one.className?.baseVal ?? one.className}`;
  const isFolded = (menu) => menu.localName === "details";
  const openerOf = (menu) =>
    isFolded(menu) ? menu.querySelector("summary")
      : document.querySelector(`[popovertarget="${menu.id}"]`);
  const contentOf = (menu) =>
    isFolded(menu) ? [...menu.children].filter((one) => one.localName !== "summary") : [menu];
  const toggle = (menu, isOpen) => {
    if (isFolded(menu)) menu.open = isOpen;
    else if (menu.matches(":popover-open") !== isOpen) menu.togglePopover(isOpen);
  };

  const isSqueezed = (one, menu) => {
    if (getComputedStyle(one).display.startsWith("inline")) return false;
    const { width } = one.getBoundingClientRect();
    const room = menu.parentElement.clientWidth;
    if (width >= room / 2) return false;
    const before = one.style.width;
    one.style.width = "max-content";
    const wanted = one.getBoundingClientRect().width;
    one.style.width = before;
    return width < wanted - 1;
  };

  const faultsOf = (menu) => {
    const found = [];
    if (document.documentElement.scrollWidth > clientWidth) found.push("the page scrolls sideways");
    for (const part of contentOf(menu).filter(isShown)) {
      if (isSqueezed(part, menu)) found.push(`${nameOf(part)} is squeezed`);
      for (const one of [part, ...part.querySelectorAll(":not(svg *)")]) {
        if (!isShown(one) || one.closest(".unseen, .spoken")) continue;
        let box = one.parentElement;
        while (box !== menu.parentElement && !scrolls(box)) box = box.parentElement;
        const isInside = box !== menu.parentElement; // of a part that scrolls
        const { left, right, width } = one.getBoundingClientRect();
        const isOut = left < -.5 || right > clientWidth + .5;
        if (width && isOut && !isInside) found.push(`${nameOf(one)} leaves the window`);
        const more = one.clientWidth && !scrolls(one) ? one.scrollWidth - one.clientWidth : 0;
        if (more > 1) found.push(`${nameOf(one)} overflows by ${more}`);
      }
      found.push(...cutChoices(part.querySelectorAll("select")));
    }
    return found;
  };

  const faults = [];
  const menus = [...document.querySelectorAll("details, [popover]")];
  for (const menu of menus) {
    const chain = menus.filter((one) => one.contains(menu));
    const closed = chain.filter((one) => !one.matches("[open], :popover-open"));
    const opener = openerOf(menu);
    for (const one of closed) {
      const button = openerOf(one);
      if (button && isShown(button)) toggle(one, true);
    }
    await frame();
    if (opener && isShown(opener)) {
      const title = `${nameOf(menu)} “${opener.textContent.trim().slice(0, 30)}”`;
      faults.push(...new Set(faultsOf(menu).map((fault) => `${title}: ${fault}`)));
    }
    for (const one of closed.reverse()) toggle(one, false);
  }
  return faults;
}""".replace("CUT", _CUT)
# The page of a match has its menus once its socket is open.
_READY = """() => !document.querySelector("antipodes-match")
  || document.querySelector("antipodes-match .icon-bar :is(button, a)")"""


def cut_choices(page: Page) -> list[str]:
    """Return the choices of visible lists that do not fit into their closed list."""
    return list(page.evaluate(f"({_CUT})(document.querySelectorAll('select'))"))


def menu_faults(page: Page) -> list[str]:
    """Open each menu of a page and close it again; return the faults of their layout."""
    page.wait_for_function(_READY)
    return list(page.evaluate(_FAULTS))
