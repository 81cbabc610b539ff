"""Speaks to Ripple's tools with the Python client of the Model Context Protocol, and tells as JSON what came back.

    python client.py stdio RIPPLE FOLDER
    python client.py http URL TOKEN
"""

import asyncio
import json
import sys

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


async def main(arguments):
    way, *rest = arguments
    if way == "stdio":
        server = StdioServerParameters(command=rest[0], args=["mcp", rest[1]])
    else:
        headers = {"authorization": f"Bearer {rest[1]}"}
        server = streamable_http_client(rest[0], http_client=create_mcp_http_client(headers=headers))
    told = {}
    async with Client(server) as client:
        told["server"] = client.server_info.name
        tools = (await client.list_tools()).tools
        told["tools"] = [tool.name for tool in tools]
        told["documented"] = all(tool.description and tool.input_schema["type"] == "object" for tool in tools)
        query = "MATCH (f:Function {name: $name}) RETURN f.qualified_name AS name, f.line AS line"
        told["rows"] = await text(client, "cypher", {"query": query, "params": {"name": "bill"}})
        told["refused"] = await text(client, "cypher", {"query": "MATCH (n) DELETE n"})
        told["unknown"] = await text(client, "rm", {})
        told["resources"] = [str(resource.uri) for resource in (await client.list_resources()).resources]
        schema = await client.read_resource("ripple://schema")
        told["schema"] = "FLOWS_TO" in schema.contents[0].text
        status = await client.read_resource("ripple://status")
        told["functions"] = json.loads(status.contents[0].text)["nodes"]["Function"]
        try:
            await client.read_resource("ripple://secrets")
        except MCPError as error:
            told["missing"] = "ripple://schema" in str(error)
        # Many at once, and the answers do not get mixed up.
        calls = [text(client, "cypher", {"query": f"RETURN {number} AS n"}) for number in range(10)]
        told["many"] = [answer[1] for answer in await asyncio.gather(*calls)] == [f"n\n{number}\n1 row" for number in range(10)]
    print(json.dumps(told))


async def text(client, tool, arguments):
    result = await client.call_tool(tool, arguments)
    return [bool(result.is_error), result.content[0].text]


asyncio.run(main(sys.argv[1:]))
