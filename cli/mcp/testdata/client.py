"""A session of the protocol's official Python client: client.py MODE URL, or client.py MODE COMMAND ARGUMENT…

It prints what came of each call; a test holds that against what it must be.
"""

import sys

import anyio
from mcp import Client, StdioServerParameters

ENDLESS = (
    "SELECT COUNT(*) FROM orderdetails a JOIN orderdetails b ON a.productCode = b.productCode JOIN orderdetails c ON "
    "b.productCode = c.productCode JOIN orderdetails d ON c.productCode = d.productCode JOIN orderdetails e ON "
    "d.productCode = e.productCode"
)


def show(what, result):
    """Print the first line of a result, and its value's rows if it has any."""
    value = result.structured_content or {}
    rows = (value.get("result") or {}).get("rows")
    line = result.content[0].text.splitlines()[0]
    print(what, "failed" if result.is_error else "ok", line if rows is None else rows)


async def main(mode, server):
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        print("tools", *[t.name for t in tools if t.annotations.read_only_hint and t.output_schema])
        print("prompts", *[p.name for p in (await client.list_prompts()).prompts])
        resources = (await client.list_resources()).resources
        print("resources", len(resources), resources[0].uri)
        text = (await client.read_resource("nl2sql:///classicmodels/table/offices")).contents[0].text
        print("resource", text.splitlines()[0])
        prompt = await client.get_prompt("table", {"table": "offices"})
        print("prompt", prompt.messages[0].content.text.splitlines()[0])

        show("schema", await client.call_tool("schema", {"table": "payments"}))
        show("samples", await client.call_tool("samples", {"table": "payments", "columns": ["checkNumber"], "rows": 1}))
        show("wrong", await client.call_tool("query", {"sql": "SELECT customerNam FROM customers c"}))
        show("mended", await client.call_tool("query", {"sql": "SELECT customerName FROM customers ORDER BY 1 LIMIT 1"}))
        show("attack", await client.call_tool("query", {"sql": "SELECT 1 INTO OUTFILE '/tmp/x'"}))
        show("check", await client.call_tool("check", {"sql": "SELECT COUNT(*) FROM orders"}))

        right = {"question": "How many offices are there?", "sql": "SELECT COUNT(*) FROM offices"}
        show("unconfirmed", await client.call_tool("learn", right))
        show("learn", await client.call_tool("learn", {**right, "confirmed": True}))
        show("pairs", await client.call_tool("pairs", {}))

        lines = []

        async def progress(done, total, message):
            lines.append(message)

        question = {"question": "How many orders were shipped?"}
        show("ask", await client.call_tool("ask", question, progress_callback=progress))
        print("progress", any(line.startswith("running") for line in lines))

        with anyio.move_on_after(0.5) as scope:  # long after the statement has begun
            await client.call_tool("query", {"sql": ENDLESS})
        print("cancelled", scope.cancelled_caught)
        show("after", await client.call_tool("query", {"sql": "SELECT COUNT(*) FROM orders"}))


_, mode, server, *arguments = sys.argv
if not server.startswith("http"):
    server = StdioServerParameters(command=server, args=arguments)
anyio.run(main, mode, server)
