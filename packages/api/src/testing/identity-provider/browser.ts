/** A page, or where a redirect leads. */
export interface ReadPage {
  readonly url: string;
  readonly text: string;
  readonly location: string | null;
}

export type Browser = (url: string, form?: Record<string, string>) => Promise<ReadPage>;

/** Sends requests with the cookies of earlier answers; a form is posted. Redirects are not followed. */
export function openBrowser(): Browser {
  const cookies = new Map<string, string>();
  return async (url, form) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const post = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
    const response = await fetch(url, { ...post, redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split('=', 2) as [string, string];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    return { url, text: await response.text(), location: location === null ? null : new URL(location, url).href };
  };
}

/**
 * Follows an address of a provider to its last page, and completes each form on the way. Returns the page, or the first address outside
 * the provider.
 * @param fields the values for the forms; a form that shows none of them is confirmed as it is
 */
export async function completeForms(address: string, fields: Record<string, string>): Promise<ReadPage> {
  const send = openBrowser();
  const { origin } = new URL(address);
  let page = await send(address);
  for (let steps = 0; steps < 20; steps++) {
    if (page.location !== null) {
      if (new URL(page.location).origin !== origin) return page;
      page = await send(page.location);
      continue;
    }
    const form = firstForm(page);
    if (form === null) return page;
    const filled = Object.entries(form.values).map(([name, value]) => [name, fields[name] ?? value]);
    page = await send(form.action, Object.fromEntries(filled));
  }
  throw new Error(`the provider's forms don't end: ${page.url}`);
}

function firstForm({ url, text }: ReadPage) {
  const form = text.match(/<form[^>]*>[\s\S]*?<\/form>/)?.[0];
  if (form === undefined) return null;
  const attribute = (tag: string, name: string) =>
    tag.match(new RegExp(`\\s${name}="([^"]*)"`))?.[1]?.replaceAll('&amp;', '&');
  const isButton = (tag: string) => tag.startsWith('<button') || attribute(tag, 'type') === 'submit';
  const tags = [...form.matchAll(/<(?:input|button)[^>]*>/g)].map(([tag]) => tag);
  // Of several buttons, the first is pressed.
  const sent = tags.filter((tag) => !isButton(tag) || tag === tags.find(isButton));
  const values = sent.map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? ''] as const);
  return {
    action: new URL(attribute(form, 'action') ?? url, url).href,
    values: Object.fromEntries(values.filter(([name]) => name !== '')),
  };
}
