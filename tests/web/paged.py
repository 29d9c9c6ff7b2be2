"""Lists that are shown in pages."""

import html
import re


def pages_of(client, address, relation="next", label="Pages"):
    """Yield the URL and the text of a page, and of all that its links lead to, one after another.

    Args:
        client: Django's.
        address: of the first page.
        relation: "next" or "prev".
        label: of the links, which distinguishes the lists of a page.
    """
    path = address.partition("?")[0]
    while address:
        response = client.get(address)
        assert response.status_code == 200
        page = response.content.decode()
        yield address, page
        nav = re.search(rf'<nav class="buttons" aria-label="{label}">.*?</nav>', page, re.DOTALL)
        link = nav and re.search(rf'rel="{relation}" href="([^"#]+)', nav[0])
        address = link and path + html.unescape(link[1])


def assert_paged(client, address, items, label="Pages"):
    """Check that pages show each item once, in this order, and have links in both directions."""
    forward = list(pages_of(client, address, label=label))
    shown = [[one for one in items if one in page] for _, page in forward]
    assert len(shown) > 1
    assert [one for some in shown for one in some] == list(items)
    back = list(pages_of(client, forward[-1][0], "prev", label))
    assert [[one for one in items if one in page] for _, page in back] == shown[::-1]
    return [url for url, _ in forward]
