# diglot with all its extras, and the programs and fonts that they call:
#
#   docker build -t diglot .
#   docker run --rm -v "$PWD:/site" -u "$(id -u):$(id -g)" diglot check
#
# The image below is named by version and not by digest, so that a new build has Debian's security updates. What is on a
# site's pages depends on the versions of Python's packages alone.
FROM python:3.12-slim-bookworm
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        chromium ffmpeg fonts-noto-cjk git git-lfs graphviz libreoffice-impress rsync \
    && rm -rf /var/lib/apt/lists/*
COPY . /tmp/diglot
RUN PIP_CONSTRAINT=/tmp/diglot/.ci/locked.txt pip install --no-cache-dir \
        "/tmp/diglot[altair,brotli,dask,hant,mermaid,pictures,pinyin,remote,search,slides]" \
    && rm -rf /tmp/diglot
ENV HOME=/tmp
WORKDIR /site
ENTRYPOINT ["diglot"]
CMD ["build"]
