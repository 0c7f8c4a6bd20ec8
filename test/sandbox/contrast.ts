/** A text whose contrast is too low, as `text: ratio of wanted`. */
export interface Contrast {
  readonly seen: number;
  readonly faint: readonly string[];
}

/**
 * Script of a browser that computes the contrast of each visible text, and of each border of what is filled in, from
 * the computed styles (WCAG 2.2: 1.4.3 and 1.4.11). Backgrounds that shine through are laid upon each other.
 */
export const CONTRAST = `(() => {
  const parse = (text) => {
    const [r = 0, g = 0, b = 0, a = 1] = (text.match(/[\\d.]+/gu) ?? []).map(Number);
    if (!/^rgba?\\(/u.test(text)) throw new Error('cannot read the colour ' + text);
    return { r, g, b, a };
  };
  const over = (top, below) => ({
    r: top.r * top.a + below.r * (1 - top.a),
    g: top.g * top.a + below.g * (1 - top.a),
    b: top.b * top.a + below.b * (1 - top.a),
    a: 1,
  });
  const canvas = () => {
    const probe = document.createElement('div');
    probe.style.color = 'Canvas';
    document.body.append(probe);
    const colour = parse(getComputedStyle(probe).color);
    probe.remove();
    return colour;
  };
  const behind = (element) => {
    if (element === null) return canvas();
    const style = getComputedStyle(element);
    if (style.backgroundImage !== 'none') throw new Error('a picture lies behind a text');
    return over(parse(style.backgroundColor), behind(element.parentElement));
  };
  const opacity = (element) =>
    element === null ? 1 : Number(getComputedStyle(element).opacity) * opacity(element.parentElement);
  const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ({ r, g, b }) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const ratio = (one, other) => {
    const [less, more] = [light(one), light(other)].sort((a, b) => a - b);
    return (more + 0.05) / (less + 0.05);
  };
  const against = (colour, element, back) => {
    const { a, ...rest } = parse(colour);
    return ratio(over({ ...rest, a: a * opacity(element) }, back), back);
  };
  const found = [];
  const check = (what, value, wanted) => found.push({ what: what + ': ' + value.toFixed(2), ok: value >= wanted });
  const wantedOf = ({ fontSize, fontWeight }) => {
    const size = parseFloat(fontSize);
    return size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
  };
  for (const element of document.body.querySelectorAll('*')) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.tagName === 'OPTION') continue;
    const style = getComputedStyle(element);
    const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join('').trim();
    const written = own === '' && 'value' in element && element.tagName !== 'LI' ? String(element.value) : own;
    if (written !== '') check(written.slice(0, 40), against(style.color, element, behind(element)), wantedOf(style));
    for (const pseudo of ['::before', '::after']) {
      const beside = getComputedStyle(element, pseudo);
      if (/^"./u.test(beside.content)) check(pseudo, against(beside.color, element, behind(element)), 3);
    }
    if (/^(?:INPUT|SELECT|TEXTAREA)$/u.test(element.tagName))
      check('border of ' + element.id, against(style.borderTopColor, element, behind(element.parentElement)), 3);
  }
  return { seen: found.length, faint: found.filter(({ ok }) => !ok).map(({ what }) => what) };
})()`;
