/** Saves a response as a file. A plain link cannot send the token that the request needs. */
export async function saveAs(response: Response, name: string): Promise<void> {
  const address = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), {
    href: address,
    download: nameIn(response) ?? name,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Returns the file name in the response headers, or null. */
function nameIn({ headers }: Response): string | null {
  const found = /filename\*=UTF-8''([^;]+)/i.exec(headers.get('content-disposition') ?? '')?.[1];
  return found ? decodeURIComponent(found) : null;
}
